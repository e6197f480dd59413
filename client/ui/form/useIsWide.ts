import { useSyncExternalStore } from "react";

/** Whether the window has at least this width in pixels. */
export function useIsWide(pixels: number): boolean {
  const media = matchMedia(`(min-width: ${pixels}px)`);
  return useSyncExternalStore(
    (listener) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => media.matches,
  );
}
