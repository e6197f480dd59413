import { Card } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import type { WorklistKind } from "../../db/state.rules.ts";
import type { ModeScope } from "../routes.ts";
import { formatNumber } from "../ui/text/counted.ts";
import type { SituationAnswer } from "./SituationSection.tsx";
import { worklistLink } from "./situationLinks.ts";
import { kindOf, worklistTitles } from "./worklistKinds.ts";

/** The work list by kind: how many sites, and how many of them are snoozed. */
export function WorklistLinks({ scope, worklist }: { scope: ModeScope; worklist: SituationAnswer["worklist"] }) {
  const total = worklist.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <Card className="situation-worklist stack is-close" compact>
      <h3>To be done</h3>
      {total === 0 ? <p className="note">Nothing is on the work list here.</p> : null}
      <ul className="stack is-close plain">
        {worklist.map(({ kind: name, entries, snoozed }) => {
          const kind: WorklistKind = kindOf(name);
          const { title, text } = worklistTitles[kind];
          return (
            <li key={kind}>
              <span className="situation-count">{formatNumber(entries - snoozed)}</span>
              <span>
                <Link to={worklistLink(kind, scope)}>{title}</Link>
                <span className="note"> {text}</span>
                {snoozed > 0 ? <span className="note">, <Link to={worklistLink(kind, scope, "snoozed")}>{`${formatNumber(snoozed)}\u00a0snoozed`}</Link></span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
