import { useCallback, useEffect, useState } from "react";
import { NavigationType, useNavigation, useNavigationType, useSearchParams } from "react-router-dom";
import { useAddress } from "./listAddress.ts";

const waitMs = 250;

/**
 * A typed text that replaces the one in the URL's search parameters a moment later; `commit` does so at once. A new
 * text starts at the first page.
 */
export function useUrlText(name: string): {
  typed: string;
  type: (text: string) => void;
  commit: (text: string) => void;
  /** what is typed is not in the address yet */ isPending: boolean;
} {
  const [params] = useSearchParams();
  const change = useAddress();
  const arrived = useNavigationType();
  const isLeaving = useNavigation().state !== "idle";
  const inUrl = params.get(name) ?? "";
  const [typed, setTyped] = useState(inUrl);
  const [seen, setSeen] = useState(inUrl);

  if (seen !== inUrl) {
    setSeen(inUrl);
    // Our own changes replace the address. Any other change comes from a link or from the browser's history, and is
    // newer than what was typed.
    if (arrived !== NavigationType.Replace) setTyped(inUrl);
  }

  const write = useCallback((text: string) => change({ page: "", [name]: text }), [change, name]);

  useEffect(() => {
    // A change of the address while another screen is loading would cancel that navigation.
    if (isLeaving || typed.trim() === inUrl) return;
    const waiting = setTimeout(() => write(typed.trim()), waitMs);
    return () => clearTimeout(waiting);
  }, [isLeaving, typed, inUrl, write]);

  return {
    typed,
    isPending: typed.trim() !== inUrl.trim(),
    type: setTyped,
    commit: (text) => {
      setTyped(text);
      if (text.trim() !== inUrl) write(text.trim());
    },
  };
}
