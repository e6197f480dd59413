import { type RefObject, useEffect, useRef, useState } from "react";
import { busyWith } from "./idle.ts";
import { FileGone, openNewest } from "./newestBuild.ts";
import { unreachedWords } from "./reach.ts";

const replacedMessage = "A new version was installed. Try again to open it.";

/** A part of a screen in a file of its own. It is fetched once, when it is first needed. */
export type FetchedPart<File> = { load: () => Promise<File>; file: () => File | undefined };

/** @param fetchFile imports the file. If that fails, the next attempt imports it again. */
export function fetchedPart<File>(fetchFile: () => Promise<File>): FetchedPart<File> {
  let file: File | undefined;
  return { load: async () => (file ??= await busyWith(fetchFile())), file: () => file };
}

/**
 * The state of a part: its file once it is fetched, or why that failed. `reset` allows another attempt. `retry` does
 * that too, or reloads the page if a newer build has replaced the file.
 */
type FetchedState<File> = {
  file: File | undefined;
  failure: string | undefined;
  reset: () => void;
  retry: () => void;
};

/** Fetches a part when it is wanted. A failure does not affect the screen around it. */
export function useFetchedPart<File>(part: FetchedPart<File>, isWanted: boolean): FetchedState<File> {
  const [file, setFile] = useState(part.file);
  const [failure, setFailure] = useState<string>();
  const isDue = isWanted && file === undefined && failure === undefined;

  useEffect(() => {
    if (!isDue) return;
    let isGone = false;
    part.load().then(
      (fetched) => isGone || setFile(() => fetched),
      (error: unknown) => isGone || setFailure(error instanceof FileGone ? replacedMessage : unreachedWords(error)),
    );
    return () => {
      isGone = true;
    };
  }, [part, isDue]);

  const reset = () => setFailure(undefined);
  return { file, failure, reset, retry: failure === replacedMessage ? () => void openNewest() : reset };
}

/**
 * Whether a place came into view: many people never scroll to it. `isNow`: it counts as in view from the start.
 */
export function useIsNear(isNow: boolean): [place: RefObject<HTMLDivElement | null>, isNear: boolean] {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isNow);
  useEffect(() => {
    if (isNear || !place.current) return;
    const seen = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
    );
    seen.observe(place.current);
    return () => seen.disconnect();
  }, [isNear]);
  return [place, isNear];
}
