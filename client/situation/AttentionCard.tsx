import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { WorklistKind } from "../../db/situation/state.rules.ts";
import type { ModeScope } from "../routes.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { worklistLink } from "./situationLinks.ts";
import type { SituationAnswer } from "./SituationSection.tsx";
import { kindOf, worklistTitles } from "../action/worklistKinds.ts";
import "./AttentionCard.css";

type AttentionCardProps = {
  /** Of which place, if that is not the place of the page. */
  place?: string | undefined;
  scope: ModeScope;
  situation: Pick<SituationAnswer, "worklist" | "newestLibraryVersion" | "oldVersion">;
  children?: ReactNode;
};

/** What a kind lists, in words; of old versions also of how many. */
function textOf(kind: WorklistKind, { newestLibraryVersion, oldVersion }: AttentionCardProps["situation"]): string {
  if (kind !== "oldVersion" || newestLibraryVersion == null) return worklistTitles[kind].text;
  return `older than ${newestLibraryVersion}, of ${formatNumber(oldVersion.of ?? 0)} with a known version`;
}

/** The work list by kind: how many sites, and how many of them are snoozed. */
export function AttentionCard({ place, scope, situation, children }: AttentionCardProps) {
  const total = situation.worklist.reduce((sum, { entries }) => sum + entries, 0);
  return (
    <Card className="attention stack" compact>
      <h3>Needs attention{place === undefined ? "" : `: ${place}`}</h3>
      {total === 0 ? <p className="note">Nothing is on the work list here.</p> : null}
      <ul className="attention-kinds plain">
        {situation.worklist.map(({ kind: name, entries, snoozed }) => {
          const kind: WorklistKind = kindOf(name);
          return (
            <li key={kind}>
              <Link to={worklistLink(kind, scope)}>
                <span className="attention-count">{formatNumber(entries - snoozed)}</span> {worklistTitles[kind].title}
              </Link>
              <span className="note is-line">
                {textOf(kind, situation)}
                {snoozed > 0 ? (
                  <>
                    , <Link to={worklistLink(kind, scope, "snoozed")}>{`${formatNumber(snoozed)}\u00a0snoozed`}</Link>
                  </>
                ) : null}
              </span>
            </li>
          );
        })}
      </ul>
      {children}
    </Card>
  );
}
