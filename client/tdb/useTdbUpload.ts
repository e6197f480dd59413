import { useEffect, useRef, useState } from "react";
import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { batchLimitBytes, batchLimitMessage, tdbxExtension, wrongExtensionMessage } from "../../gateway/tdb/tdbx.rules.ts";
import { showError, showSuccess, showWarning } from "../shell/toaster.tsx";
import { useViewer } from "../shell/viewer.ts";
import { forgetAnswers } from "../urql.ts";
import { inspectFile, type Inspection } from "./inspectFile.ts";
import { type Sending, sendTdb } from "./sendFile.ts";

export type ChosenFile = { id: number; file: File; inspection?: Inspection };
export type Outcome = { tone: "pending" | "successful" | "failed" | "warning"; caption: string };
export type Progress = { sent: number; total: number; bytesPerSecond?: number };

const pending: Outcome = { tone: "pending", caption: "Upload" };
const totalOf = (files: { file: File }[]): number => files.reduce((sum, { file }) => sum + file.size, 0);
/** The speed is that of the last seconds. */
const windowMs = 10_000;

let lastId = 0;

/** The state of the upload screen: what is chosen, what is on its way, what became of it. */
export function useTdbUpload() {
  const { user } = useViewer();
  const [files, setFiles] = useState<ChosenFile[]>([]);
  const [outcome, setOutcome] = useState<Outcome>(pending);
  const [progress, setProgress] = useState<Progress>();
  const [isPaused, setIsPaused] = useState(false);
  const [receipts, setReceipts] = useState<TdbReceipt[]>([]);
  const sending = useRef<Sending>(undefined);
  const cancelled = useRef(false);

  // Whoever leaves the screen can come back: what was sent stays at the server.
  useEffect(() => () => sending.current?.pause(), []);
  useEffect(() => {
    if (!progress) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [progress]);

  const choose = (chosen: File[]) => {
    if (chosen.length === 0) return;
    setFiles([]);
    setReceipts([]);
    setOutcome(pending);
    if (chosen.some(({ name }) => !name.toLowerCase().endsWith(tdbxExtension))) {
      showError(wrongExtensionMessage);
      setOutcome({ tone: "failed", caption: `${chosen.length} file(s) FAILED to upload, Click Browse to Try again..!` });
      return;
    }
    const next = chosen.map((file) => ({ id: (lastId += 1), file }));
    if (totalOf(next) > batchLimitBytes) {
      showWarning(batchLimitMessage);
      setOutcome({ tone: "warning", caption: `${chosen.length} file(s) UNABLE to upload, Total File(s) size exceeds 30GB..!` });
      return;
    }
    setFiles(next);
    for (const { id, file } of next)
      void inspectFile(file).then((inspection) =>
        setFiles((now) => now.map((one) => (one.id === id ? { ...one, inspection } : one))),
      );
  };

  const upload = async () => {
    if (files.length === 0) return showError("Choose at least one file.");
    const total = totalOf(files);
    const moments: { at: number; sent: number }[] = [];
    const tell = (sent: number) => {
      const at = Date.now();
      moments.push({ at, sent });
      while (moments[0] && at - moments[0].at > windowMs) moments.shift();
      const first = moments[0]!;
      const seconds = (at - first.at) / 1000;
      setProgress({ sent, total, bytesPerSecond: seconds > 1 ? (sent - first.sent) / seconds : undefined });
    };
    cancelled.current = false;
    setReceipts([]);
    tell(0);
    let before = 0;
    const results: TdbReceipt[] = [];
    for (const { file } of files) {
      const start = before;
      sending.current = sendTdb(file, user.uuid, (sent) => tell(start + sent));
      const receipt = await sending.current.receipt.catch((error: unknown) => failed(file, error));
      if (cancelled.current) return;
      results.push(receipt);
      setReceipts([...results]);
      before += file.size;
      tell(before);
    }
    sending.current = undefined;
    setProgress(undefined);
    setIsPaused(false);
    setFiles([]);
    forgetAnswers();
    const bad = results.filter(({ accepted }) => !accepted);
    if (bad.length === 0) {
      showSuccess("Successfully uploaded TDB files!");
      setOutcome({ tone: "successful", caption: `${results.length} file(s) uploaded, Click Browse to Add more..!` });
    } else {
      for (const { fileName, error } of bad) showError(`${fileName}: ${error?.message}`);
      setOutcome({ tone: "failed", caption: `${bad.length} file(s) FAILED to upload, Click Browse to Try again..!` });
    }
  };

  const cancel = () => {
    cancelled.current = true;
    sending.current?.cancel();
    sending.current = undefined;
    setProgress(undefined);
    setIsPaused(false);
    setFiles([]);
    setOutcome(pending);
  };
  const pause = () => {
    sending.current?.pause();
    setIsPaused(true);
  };
  const resume = () => {
    sending.current?.resume();
    setIsPaused(false);
  };
  return { files, total: totalOf(files), outcome, progress, isPaused, receipts, choose, upload, cancel, pause, resume };
}

const failed = (file: File, error: unknown): TdbReceipt => ({
  fileName: file.name,
  accepted: false,
  duplicate: false,
  uuid: null,
  reference: null,
  facilityUuid: null,
  facility: null,
  sha256: null,
  size: file.size,
  uploadDate: null,
  uploadTime: null,
  error: { message: error instanceof Error ? error.message : "The upload failed." },
});
