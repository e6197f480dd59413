import { useMemo, useSyncExternalStore } from "react";

/** Whether the window has at least this width in pixels. */
export function useIsWide(pixels: number): boolean {
  const [subscribe, isWide] = useMemo(() => {
    const media = matchMedia(`(min-width: ${pixels}px)`);
    const listen = (listener: () => void) => {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    };
    return [listen, () => media.matches] as const;
  }, [pixels]);
  return useSyncExternalStore(subscribe, isWide);
}

/** Whether the window is as narrow as a phone's: the width below which the styles show lists in lines. */
export const useIsPhone = (): boolean => !useIsWide(641);
