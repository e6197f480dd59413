import { Link } from "react-router-dom";
import type { WorklistKind } from "../../db/state.rules.ts";
import type { ModeScope } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { formatNumber } from "../ui/text/counted.ts";
import type { SituationAnswer } from "./SituationSection.tsx";
import { worklistLink } from "./situationLinks.ts";
import { kindOf, worklistTitles } from "./worklistKinds.ts";

/** The work list by kind: how many sites, and how many of them are snoozed. */
export function WorklistLinks({ scope, worklist }: { scope: ModeScope; worklist: SituationAnswer["worklist"] }) {
  const { privileges } = useViewer();
  const total = worklist.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <div className="situation-worklist">
      <h3>To be done</h3>
      {total === 0 ? <p className="situation-note situation-nothing">Nothing is on the work list here.</p> : null}
      {total > 0 && worklist.every(({ kind }) => worklistLink(kindOf(kind), scope, privileges) === undefined) ? (
        <p className="situation-note situation-nothing">The lists themselves are for people who may view assessments or TDBs.</p>
      ) : null}
      <ul>
        {worklist.map(({ kind: name, entries, snoozed }) => {
          const kind: WorklistKind = kindOf(name);
          const { title, text } = worklistTitles[kind];
          const to = worklistLink(kind, scope, privileges);
          const hidden = worklistLink(kind, scope, privileges, "snoozed");
          const hiddenWords = `${formatNumber(snoozed)}\u00a0snoozed`;
          return (
            <li key={kind}>
              <span className="situation-worklist-count">{formatNumber(entries - snoozed)}</span>
              <span>
                {to ? <Link to={to}>{title}</Link> : <strong>{title}</strong>}
                <span className="situation-note"> {text}</span>
                {snoozed > 0 ? <span className="situation-note">, {hidden ? <Link to={hidden}>{hiddenWords}</Link> : hiddenWords}</span> : null}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
