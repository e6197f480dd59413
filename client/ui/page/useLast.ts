import { useState } from "react";

/** What a dialog is about, also while it fades out: the last subject that was neither undefined nor false. */
export function useLast<Subject>(subject: Subject | undefined | false): Subject | undefined {
  const [last, setLast] = useState<Subject>();
  if (subject !== undefined && subject !== false && subject !== last) setLast(subject);
  return last;
}
