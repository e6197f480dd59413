import { useSyncExternalStore } from "react";

const media = matchMedia("print");

function subscribe(listener: () => void): () => void {
  for (const event of ["beforeprint", "afterprint"]) window.addEventListener(event, listener);
  media.addEventListener("change", listener);
  return () => {
    for (const event of ["beforeprint", "afterprint"]) window.removeEventListener(event, listener);
    media.removeEventListener("change", listener);
  };
}

/** Whether the page is being printed. Lists then show all rows that they have, not only one page of them. */
export const useIsPrinting = (): boolean => useSyncExternalStore(subscribe, () => media.matches);
