import { HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";
import { Link, useNavigate } from "react-router-dom";
import { worklistKinds, worklistNames } from "../../db/situation/state.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type ModeScope, routes } from "../routes.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { useScreenQuery } from "../urql.ts";
import { viewParameters, type WorklistView } from "./worklistAddress.ts";

const query = graphql(`
  query WorklistKindLinksQuery(
    $show: WorklistShow, $mine: Boolean, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $withTasks: Boolean!
  ) {
    stopped: worklist(kind: STOPPED, show: $show, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { totalCount }
    lostPower: worklist(kind: LOST_POWER, show: $show, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { totalCount }
    silent: worklist(kind: SILENT, show: $show, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { totalCount }
    oldVersion: worklist(kind: OLD_VERSION, show: $show, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { totalCount }
    notVisited: worklist(kind: NOT_VISITED, show: $show, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) { totalCount }
    tasks: actions(state: OPEN, isAboutEntry: false, mine: $mine, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) @include(if: $withTasks) { totalCount }
  }
`);

type WorklistKindLinksProps = {
  present: string;
  scope: ModeScope;
  view: WorklistView;
  variables: { show: "OPEN" | "SNOOZED" | "ALL"; mine: boolean | undefined } & ModeScope;
  /** Whether the person may see actions: then tasks are a kind too. */
  withTasks: boolean;
};

/**
 * The kinds of the work list, with the number of entries of each, and the tasks that people wrote. A phone has room for
 * a choice only.
 */
export function WorklistKindLinks({ present, scope, view, variables, withTasks }: WorklistKindLinksProps) {
  const { data } = useScreenQuery(query, { ...variables, withTasks });
  const id = useId();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const kinds = (withTasks ? [...worklistKinds, "tasks" as const] : worklistKinds).map((kind) => {
    const count = data?.[kind]?.totalCount;
    return {
      ...{ kind, name: kind === "tasks" ? "Tasks" : worklistNames[kind] },
      count: count === undefined ? "" : formatNumber(count),
    };
  });
  const addressOf = (kind: string) => routes.worklist(kind, { ...scope, ...viewParameters(view) });
  if (isPhone)
    return (
      <span className="list-choice note row screen-only">
        <label htmlFor={id}>Kind</label>
        <HTMLSelect
          id={id}
          onChange={({ currentTarget }) => navigate(addressOf(currentTarget.value))}
          options={kinds.map(({ kind, name, count }) => ({ value: kind, label: `${name} ${count}` }))}
          value={present}
        />
      </span>
    );
  return (
    <nav aria-label="Kinds of work" className="worklist-shows worklist-kinds row screen-only">
      {kinds.map(({ kind, name, count }) => (
        <Link aria-current={kind === present ? "page" : undefined} key={kind} to={addressOf(kind)}>
          {name} <span className="worklist-count">{count}</span>
        </Link>
      ))}
    </nav>
  );
}
