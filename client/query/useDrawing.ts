import { useEffect, useState } from "react";

/** The code that draws a chart or a map. It is fetched when the first one is shown. */
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
