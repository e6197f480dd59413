import { useSyncExternalStore } from "react";

const wide = matchMedia("(min-width: 901px)");

function subscribe(listener: () => void): () => void {
  wide.addEventListener("change", listener);
  return () => wide.removeEventListener("change", listener);
}

/** Whether there is room for the menu beside the screen. */
export function useIsWide(): boolean {
  return useSyncExternalStore(subscribe, () => wide.matches);
}
