import { useEffect, useRef } from "react";

/** Acts when the network is back, as long as it is wanted. */
export function useWhenOnline(act: () => void, isWanted = true): void {
  const latest = useRef(act);
  useEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    if (!isWanted) return undefined;
    const again = () => latest.current();
    window.addEventListener("online", again);
    return () => window.removeEventListener("online", again);
  }, [isWanted]);
}
