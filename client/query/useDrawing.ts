import { useEffect, useState } from "react";

/** What draws a chart, a file of its own that is fetched when one is first asked for. */
export function useDrawing<File>(load: () => Promise<File>): { file: File | undefined; hasFailed: boolean; retry: () => void } {
  const [file, setFile] = useState<File>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    if (file || hasFailed) return;
    load().then(
      (fetched) => setFile(() => fetched),
      () => setFailed(true),
    );
  }, [load, file, hasFailed]);
  return { file, hasFailed, retry: () => setFailed(false) };
}
