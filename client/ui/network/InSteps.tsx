import { Children, startTransition, useEffect, useState } from "react";
import type { ReactNode } from "react";

let isFirst = true;

/**
 * Parts of a long screen, one below the other. On the first such screen after the page was loaded, each part is
 * rendered in a task of its own, so that the browser can react to input in between: the code is not compiled yet, and
 * rendering everything at once takes a slow phone half a second.
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
