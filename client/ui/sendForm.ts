/** How far an upload is: its share of 100. */
export type OnProgress = (percent: number) => void;

const timeoutMs = 1_800_000;

/** Sends a form with files, telling how far it is; answers the status and the JSON of the answer. */
export function sendForm(url: string, form: FormData, onProgress: OnProgress, signal?: AbortSignal): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "json";
    request.timeout = timeoutMs;
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0));
    request.addEventListener("load", () => resolve({ status: request.status, body: request.response as unknown }));
    for (const [event, message] of [
      ["error", "The server cannot be reached. Check the connection and try again."],
      ["timeout", "The upload took longer than 30 minutes."],
      ["abort", "The upload was cancelled."],
    ] as const)
      request.addEventListener(event, () => reject(new Error(message)));
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
