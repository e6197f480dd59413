import { Children, startTransition, useEffect, useState } from "react";
import type { ReactNode } from "react";

let isFirst = true;

/**
 * Parts of a long screen, one below the other. The first such screen of a visit draws each in a step of its own, so that the
 * browser can do in between what the person asks for: no code is warm yet, and all at once takes a slow phone half a second.
 */
export function InSteps({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  const [shown, setShown] = useState(isFirst ? 1 : Infinity);
  const isWhole = shown >= parts.length;
  useEffect(() => {
    if (isWhole) isFirst = false;
    else startTransition(() => setShown(shown + 1));
  }, [isWhole, shown]);
  return (
    <>
      {parts.slice(0, shown)}
      {isWhole ? null : <span className="more-to-come" hidden />}
    </>
  );
}
