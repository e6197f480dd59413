import { Card } from "@blueprintjs/core";
import { AddIcon, ArrowDownIcon, ArrowUpIcon } from "@blueprintjs/icons";
import { useId } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { ledgerKinds } from "../../db/ledger/ledger.rules.ts";
import { may, type Privileges } from "../../gateway/access/access.rules.ts";
import { ledgerNeeds } from "../../gateway/ledger/ledgerNeeds.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { LedgerDirection, LedgerKind } from "../gql/graphql.ts";
import { FeedButton } from "../ledger/FeedButton.tsx";
import { LedgerList } from "../ledger/LedgerList.tsx";
import { kindWords } from "../../gateway/ledger/ledgerWords.rules.ts";
import { directionOf, directionTitles, isTile, nameOf, type TileDirection } from "../ledger/ledgerWords.ts";
import { files } from "../routes.ts";
import { asAtWords } from "../shell/clock/asAt.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { DayInput } from "../ui/field/DayInput.tsx";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { useListAddress } from "../ui/filter/listAddress.ts";
import { type Filters, isOneOf } from "../ui/filter/wrongFilter.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { missingPart } from "../ui/notice/missingPart.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatNumber } from "../ui/text/counted.ts";
import { daysAfter, formatDate, mondayOf } from "../ui/text/dates.ts";
import { rowsFrom } from "../urql.ts";
import { ChoiceField } from "./ChoiceField.tsx";
import { DocumentScopeControls } from "./DocumentScopeControls.tsx";
import { readReportScope, scopeFilters } from "./reportScope.ts";
import { scopeVariables, scopeWhat } from "./scope.ts";
import { useFigures } from "./useFigures.ts";
import { useScopeNames } from "./useScopeNames.ts";
import "./OverviewSection.css";

const query = graphql(`
  query ChangesScreenQuery(
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $start: Date!
    $kinds: [LedgerKind!], $direction: LedgerDirection, $first: Int!, $offset: Int
  ) {
    ledgerCounts(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      start: $start, kinds: $kinds
    ) { direction count }
    ledger(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      start: $start, kinds: $kinds, direction: $direction, sort: SITE, first: $first, offset: $offset
    ) {
      totalCount
      nodes { id ...LedgerList_LedgerEntry }
    }
  }
`);

const week = 7;
const rowsOfPage = 50;
const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && text >= "2000-01-01" && !Number.isNaN(Date.parse(text));

/** The kinds of changes that somebody may see. */
const kindsFor = (privileges: Privileges) =>
  ledgerKinds.filter((kind) => ledgerNeeds[kind] === undefined || may(privileges, ledgerNeeds[kind]));

const marks = {
  better: <ArrowUpIcon className="good" />,
  worse: <ArrowDownIcon className="bad" />,
  new: <AddIcon className="soft" />,
};

/** How many changes are better, worse and new. Each tile lists its own; the chosen one lists all again. */
function Tiles({
  countOf,
  chosen,
}: {
  countOf: (direction: TileDirection) => number | undefined;
  chosen: string | undefined;
}) {
  const [params] = useSearchParams();
  const searchFor = (direction: TileDirection) => {
    const next = new URLSearchParams(params);
    next.delete("page");
    if (direction === chosen) next.delete("direction");
    else next.set("direction", direction);
    return next.toString();
  };
  return (
    <nav aria-label="Changes by direction" className="ledger-tiles">
      {(Object.keys(directionTitles) as TileDirection[]).map((direction) => {
        const count = countOf(direction);
        return (
          <Link
            aria-current={direction === chosen ? "true" : undefined}
            className="ledger-tile"
            key={direction}
            to={{ search: searchFor(direction) }}
          >
            <Card compact>
              {marks[direction]} {directionTitles[direction]}
              <div className="ledger-count">{count === undefined ? "–" : formatNumber(count)}</div>
            </Card>
          </Link>
        );
      })}
    </nav>
  );
}

function Changes() {
  const { today, timeZone } = useSystem();
  const { privileges } = useViewer();
  const [params] = useSearchParams();
  const change = useListAddress();
  const field = useId();
  const about = readReportScope(params);
  const names = useScopeNames(about.scope, about.partner);
  const { place, partnerWords } = names;
  const since = params.get("since") ?? daysAfter(today, -week);
  const kinds = kindsFor(privileges);
  const kind = kinds.find((one) => one === params.get("kind"));
  const direction = [params.get("direction")].find(isTile);
  const choose = (day: string) => {
    if (isDay(day)) change({ since: day });
  };
  const scope = scopeVariables(about.scope, about.partner);
  // The names of GraphQL's enums are the words of the rules in capitals.
  const match = {
    ...(kind ? { kinds: [nameOf(kind) as LedgerKind] } : {}),
    ...(direction ? { direction: nameOf(direction) as LedgerDirection } : {}),
  };
  const variables = {
    ...scope,
    start: since,
    ...match,
    first: rowsOfPage,
    offset: offsetOf(params, "page", rowsOfPage),
  };
  const answer = useFigures(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ ledger }) => ledger?.nodes);
  const period = `since ${formatDate(since)}`;
  const shown = [kind && kindWords[kind], direction && directionTitles[direction]];
  const what = scopeWhat(about.scope, about.partner);
  const missing = missingPart(answer.error, what);
  if (missing !== undefined) return <NotFoundNotice what={missing} />;
  return (
    <Page
      title="What changed"
      help={<TermButton term="ledger" name="What changed" />}
      subtitle={[place, partnerWords, period, ...shown, asAtWords(timeZone)].filter(Boolean).join(" · ")}
    >
      <DocumentScopeControls {...about} names={names} set={["kind", "since"].filter((name) => params.has(name)).length}>
        <span className="row">
          <label htmlFor={field}>Since</label>
          <DayInput id={field} label="Since" max={today} onChange={choose} value={since} />
        </span>
        <ChoiceField
          isInline
          label="What"
          onChange={(value) => change({ kind: value })}
          options={[
            { value: "", label: "Everything" },
            ...kinds.map((one) => ({ value: one as string, label: kindWords[one] })),
          ]}
          value={kind ?? ""}
        />
      </DocumentScopeControls>
      <Tiles
        chosen={direction}
        countOf={(of) =>
          answer.data?.ledgerCounts
            ?.filter((row) => directionOf(row.direction) === of)
            .reduce((sum, { count }) => sum + count, 0)
        }
      />
      <div className="row screen-only">
        {[mondayOf(today), daysAfter(mondayOf(today), -week)].map((monday) => (
          <button className="link-button" key={monday} onClick={() => choose(monday)} type="button">
            Since Monday, {formatDate(monday)}
          </button>
        ))}
        <ExportButton
          href={files.ledgerCsv({ ...scope, start: since, kinds: kind, direction })}
          label="of these changes"
        />
        <FeedButton
          asked={{ ...scope, ...match }}
          name={["Changes", place, partnerWords, ...shown].filter(Boolean).join(" · ").slice(0, 64)}
        />
      </div>
      <QueryState hasStalePart query={answer} what={what}>
        {({ ledger }) => (
          <StalePart isStale={answer.stale}>
            <PagedList
              empty={`Nothing changed here ${period}. Choose an earlier day.`}
              fetchFrom={fetchFrom}
              label="Pages of the changes"
              list={ledger}
              size={rowsOfPage}
            >
              {(rows) => <LedgerList rows={rows} />}
            </PagedList>
          </StalePart>
        )}
      </QueryState>
    </Page>
  );
}

/** What changed since a chosen day, by site: by default within the last week. */
export function ChangesScreen() {
  const { today } = useSystem();
  const { privileges } = useViewer();
  const filters: Filters = {
    ...scopeFilters,
    since: (day) => isDay(day) && day <= today,
    kind: isOneOf(...kindsFor(privileges)),
    direction: isTile,
  };
  return (
    <KnownFilters filters={filters}>
      <Changes />
    </KnownFilters>
  );
}
