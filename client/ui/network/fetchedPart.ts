import { useEffect, useState } from "react";
import { busyWith } from "./idle.ts";

export const unreachableMessage = "The server cannot be reached. Check the connection and try again.";

/** A part of a screen in a file of its own, which is fetched when it is first wanted, and once. */
export type FetchedPart<File> = { load: () => Promise<File>; file: () => File | undefined };

/** @param fetchFile imports the file; where that failed, the next attempt imports it again. */
export function fetchedPart<File>(fetchFile: () => Promise<File>): FetchedPart<File> {
  let file: File | undefined;
  return { load: async () => (file ??= await busyWith(fetchFile())), file: () => file };
}

/** The state of a part: its file, once fetched, or the failure to fetch it. */
export type FetchedState<File> = { file: File | undefined; hasFailed: boolean; retry: () => void };

/** Fetches a part once it is wanted. A failure does not affect the screen around it. */
export function useFetchedPart<File>(part: FetchedPart<File>, isWanted: boolean): FetchedState<File> {
  const [file, setFile] = useState(part.file);
  const [hasFailed, setFailed] = useState(false);
  const isDue = isWanted && file === undefined && !hasFailed;

  useEffect(() => {
    if (!isDue) return;
    let isGone = false;
    part.load().then(
      (fetched) => isGone || setFile(() => fetched),
      () => isGone || setFailed(true),
    );
    return () => {
      isGone = true;
    };
  }, [part, isDue]);

  return { file, hasFailed, retry: () => setFailed(false) };
}
