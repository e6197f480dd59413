import type { UnfinishedUpload } from "../../../gateway/tdb/tdb.rules.ts";
import { batchLimitBytes, batchLimitMessage } from "../../../gateway/input/upload.rules.ts";
import { tdbxExtension, wrongExtensionMessage } from "../../../gateway/tdb/tdbxFile.rules.ts";
import { showError, showWarning, withdrawMessage } from "../../shell/toast/toaster.tsx";
import { unreachableWords } from "../../ui/network/reach.ts";
import { cutName } from "../cutName.ts";
import { askUnfinished, findUploadOf, isFileOf, pathOf, sourceOf } from "./recognise.ts";
import { call, chooseFirstMessage, continueAt } from "./uploads.ts";
import { changeFile, changeUploads, pending, type UploadFile } from "./uploadState.ts";

let lastId = 0;

/**
 * Looks up for each file whether the server has a part of it. If the server cannot be asked now, the sender asks later.
 */
async function recognise(files: UploadFile[]): Promise<void> {
  const unfinished = await askUnfinished(call);
  for (const { id, file } of files) {
    const upload = await findUploadOf(call, sourceOf(file), unfinished);
    if (!upload) continue;
    continueAt(id, pathOf(upload));
    changeFile(id, { there: upload.received });
  }
}

/** Reads each file. The reader and its rules, half of the screen's bytes, are fetched when they are needed. */
async function inspect(files: UploadFile[]): Promise<void> {
  const reader = await import("../inspectFile.ts").catch(() => undefined);
  for (const { id, file } of files)
    void (reader?.inspectFile(file) ?? Promise.resolve({ warning: unreachableWords })).then((inspection) =>
      changeFile(id, { inspection }),
    );
}

/** Replaces the chosen files, and inspects each. */
export function chooseFiles(chosen: File[]): void {
  if (chosen.length === 0) return;
  changeUploads({ files: [], receipts: [], again: [], outcome: pending });
  for (const message of [chooseFirstMessage, wrongExtensionMessage, batchLimitMessage]) withdrawMessage(message);
  if (chosen.some(({ name }) => !name.toLowerCase().endsWith(tdbxExtension))) {
    showError(wrongExtensionMessage);
    changeUploads({
      outcome: { tone: "failed", caption: `${chosen.length} file(s) FAILED to upload, Click Browse to Try again..!` },
    });
    return;
  }
  if (chosen.reduce((sum, { size }) => sum + size, 0) > batchLimitBytes) {
    showWarning(batchLimitMessage);
    const caption = `${chosen.length} file(s) UNABLE to upload, Total File(s) size exceeds 30GB..!`;
    changeUploads({ outcome: { tone: "warning", caption } });
    return;
  }
  const files = chosen.map((file): UploadFile => ({ id: (lastId += 1), file, state: "chosen", there: 0 }));
  changeUploads({ files });
  void inspect(files);
  void recognise(files).catch(() => {});
}

/** Chooses a file for an unfinished upload, if it is the same file. */
export async function chooseFileOf(upload: UnfinishedUpload, file: File): Promise<void> {
  const isIt = await isFileOf(call, sourceOf(file), upload).catch((error: unknown) => {
    showError(error instanceof Error ? error.message : "The file cannot be read.");
    return undefined;
  });
  if (isIt === false)
    showError(
      `${cutName(file.name)} is another file than ${cutName(upload.fileName)}: its size or its content differs.`,
    );
  if (isIt) chooseFiles([file]);
}
