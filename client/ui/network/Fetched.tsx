import type { ReactNode } from "react";
import { Failure } from "../notice/Failure.tsx";
import { type FetchedPart, useFetchedPart } from "./fetchedPart.ts";
import { Loading } from "../notice/Loading.tsx";

type FetchedProps<File> = { part: FetchedPart<File>; children: (file: File) => ReactNode };

/** Shows a part that is fetched when it is shown. If that fails, it says so and offers to try again. */
export function Fetched<File>({ part, children }: FetchedProps<File>) {
  const { file, failure, retry } = useFetchedPart(part, true);
  if (file) return children(file);
  return failure ? <Failure message={failure} onRetry={retry} /> : <Loading />;
}
