import { Button } from "@blueprintjs/core";
import { RefreshIcon, TickCircleIcon, TrashIcon, WarningSignIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import { countKeptBytes } from "../facility/fieldSites.ts";
import type { FieldNote } from "../facility/fieldSites.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { counted } from "../ui/text/counted.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { instantText } from "../ui/text/instants.ts";
import { points } from "./readiness.ts";
import type { Finding } from "./readiness.ts";

type ReadySectionProps = {
  note: FieldNote | null;
  isBusy: boolean;
  onRefresh: () => void;
  onRemove: () => void;
};

/** What this device has found about itself, by the title of the check, and a function that looks again. */
function useFindings(note: FieldNote | null): [found: Record<string, Finding>, lookAgain: () => void] {
  const { timeZone } = useSystem();
  const { userName } = useViewer().user;
  const [found, setFound] = useState<Record<string, Finding>>({});
  const [looks, setLooks] = useState(0);
  const lookAgain = () => setLooks((count) => count + 1);
  useEffect(() => {
    let isOver = false;
    for (const { title, look } of points)
      void Promise.resolve(look({ note, timeZone, userName })).then((finding) => {
        if (!isOver) setFound((before) => ({ ...before, [title]: finding }));
      });
    return () => {
      isOver = true;
    };
  }, [note, timeZone, userName, looks]);
  useEffect(() => {
    window.addEventListener("focus", lookAgain);
    window.addEventListener("online", lookAgain);
    return () => {
      window.removeEventListener("focus", lookAgain);
      window.removeEventListener("online", lookAgain);
    };
  }, []);
  return [found, lookAgain];
}

function headingOf(found: Record<string, Finding>): string {
  const open = points.filter(({ title }) => found[title]?.isReady === false).length;
  if (open > 0) return `${open} of ${points.length} points to look at`;
  return points.some(({ title }) => !found[title]) ? "Is this device ready?" : "This device is ready for the field";
}

/** What was taken along: of when it is and how large, with buttons to bring it up to date and to remove it. */
function KeptPart({ note, isBusy, onRefresh, onRemove }: ReadySectionProps & { note: FieldNote }) {
  const { timeZone } = useSystem();
  const [bytes, setBytes] = useState<number>();
  useEffect(() => {
    void countKeptBytes().then(setBytes);
  }, [note]);
  const visits = note.visits.reduce((sum, { count }) => sum + count, 0);
  return (
    <section aria-labelledby="field-kept-heading" className="stack is-close">
      <h3 id="field-kept-heading">On this device: {note.scopeName}</h3>
      <p>
        {counted(note.total, "site")}, as of {instantText(note.asOf, timeZone)}.{" "}
        {note.visits.length
          ? `Last visits of ${counted(note.visits.length, "district")}: ${counted(visits, "visit")}. `
          : ""}
        {bytes === undefined ? "" : `They take ${formatFileSize(bytes)} of this device.`}
      </p>
      <div className="row">
        <BusyButton icon={<RefreshIcon />} isBusy={isBusy} onClick={onRefresh} text="Refresh" />
        <Button disabled={isBusy} icon={<TrashIcon />} onClick={onRemove} text="Remove from this device" />
      </div>
    </section>
  );
}

/**
 * Whether this device is ready for work without network, in one line that opens: what was taken along, and the checks,
 * of which only those that failed say more.
 */
export function ReadySection(props: ReadySectionProps) {
  const { note, isBusy, onRefresh } = props;
  const [found, lookAgain] = useFindings(note);
  const heading = headingOf(found);
  const isReady = points.every(({ title }) => found[title]?.isReady);
  return (
    <details className="field-ready">
      <summary>
        <h2>
          {isReady ? <TickCircleIcon className="good" /> : <WarningSignIcon className="warn" />} {heading}
        </h2>
      </summary>
      <div className="stack">
        {note ? <KeptPart {...props} note={note} /> : null}
        <ul className="grid is-close plain">
          {points.map(({ title }) => {
            const finding = found[title];
            const act = finding?.act;
            const run = act?.run ?? (act ? onRefresh : undefined);
            return (
              <li className={finding?.isReady ? "is-ready" : undefined} key={title}>
                {finding === undefined ? (
                  <span />
                ) : finding.isReady ? (
                  <TickCircleIcon className="good" title="Ready" />
                ) : (
                  <WarningSignIcon className="warn" title="Not ready" />
                )}
                <div className="stack is-close">
                  <h3>{title}</h3>
                  {finding?.isReady ? null : <p className="soft">{finding?.text ?? "Looking …"}</p>}
                  {act ? (
                    <Button
                      disabled={isBusy}
                      onClick={() => void Promise.resolve(run?.()).then(lookAgain)}
                      text={act.title}
                    />
                  ) : null}
                </div>
              </li>
            );
          })}
        </ul>
      </div>
    </details>
  );
}
