import { Button, Card } from "@blueprintjs/core";
import { TickCircleIcon, WarningSignIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import type { FieldNote } from "../facility/fieldSites.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { points } from "./readiness.ts";
import type { Finding } from "./readiness.ts";

type ReadinessSectionProps = { note: FieldNote | null; isBusy: boolean; onRefresh: () => void };

/** Whether this device is ready for work without network: a list of checks, each with the action that fixes it. */
export function ReadinessSection({ note, isBusy, onRefresh }: ReadinessSectionProps) {
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
  const isLooking = points.some(({ title }) => !found[title]);
  const open = points.filter(({ title }) => found[title]?.isReady === false).length;
  const heading = open > 0 ? `${open} of ${points.length} points to look at` : isLooking ? "Is this device ready?" : "This device is ready for the field";

  return (
    <Card className="field-readiness stack" aria-labelledby="field-readiness-heading" role="region">
      <h2 id="field-readiness-heading">{heading}</h2>
      <ul className="grid plain">
        {points.map(({ title }) => {
          const finding = found[title];
          const act = finding?.act;
          const run = act?.run ?? (act ? onRefresh : undefined);
          return (
            <li className={finding?.isReady ? "is-ready" : undefined} key={title}>
              {finding ? finding.isReady ? <TickCircleIcon className="good" title="Ready" /> : <WarningSignIcon className="warn" title="Not ready" /> : <span />}
              <div className="stack is-close">
                <h3>{title}</h3>
                <p className="soft">{finding?.text ?? "Looking …"}</p>
                {act ? <Button disabled={isBusy} onClick={() => void Promise.resolve(run?.()).then(lookAgain)} text={act.title} /> : null}
              </div>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
