import { watchSilence } from "../network/heardFetch.ts";
import { portalWords, unreachableWords } from "../network/reach.ts";

/** The progress of an upload, in percent. */
type OnProgress = (percent: number) => void;

/** How long the server may take to check and store what it has received. */
const finalisingMs = 1_800_000;

/**
 * Sends a form with files and reports the progress. Returns the status and the JSON of the answer. Aborted when the
 * connection is silent.
 */
export function sendForm(
  url: string,
  form: FormData,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.responseType = "json";
    const giveUp = () => {
      reject(new Error(unreachableWords));
      request.abort();
    };
    const { heard, end } = watchSilence(giveUp);
    let timer: ReturnType<typeof setTimeout> | undefined;
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      heard();
      onProgress(total > 0 ? Math.floor((loaded / total) * 100) : 0);
    });
    request.upload.addEventListener("load", () => {
      end();
      timer = setTimeout(giveUp, finalisingMs);
    });
    request.addEventListener("loadend", () => {
      end();
      clearTimeout(timer);
    });
    request.addEventListener("load", () => {
      // Its requests follow redirections, so a network that wants a sign-in answers with a page.
      if (/^text\/html/i.test(request.getResponseHeader("content-type") ?? "") && request.status < 400)
        reject(new Error(portalWords));
      else resolve({ status: request.status, body: request.response as unknown });
    });
    request.addEventListener("error", () => reject(new Error(unreachableWords)));
    request.addEventListener("abort", () => reject(new Error("The upload was cancelled.")));
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
