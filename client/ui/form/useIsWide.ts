import { useMemo, useSyncExternalStore } from "react";

const paper = matchMedia("print");

/** Whether the window has at least this width. Its paper is as wide, so that nothing is fetched or drawn anew. */
function widthOf(pixels: number) {
  const media = matchMedia(`(min-width: ${pixels}px)`);
  let isWide = media.matches;
  return {
    listen: (listener: () => void) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    read: () => (isWide = media.matches || (paper.matches && isWide)),
  };
}

/** Whether the window has at least this width in pixels. */
export function useIsWide(pixels: number): boolean {
  const { listen, read } = useMemo(() => widthOf(pixels), [pixels]);
  return useSyncExternalStore(listen, read);
}

/** Whether the window is as narrow as a phone's: the width below which the styles show lists in lines. */
export const useIsPhone = (): boolean => !useIsWide(641);
