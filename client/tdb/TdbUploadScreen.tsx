import { Button, FileInput, FormGroup, Intent } from "@blueprintjs/core";
import { useRef } from "react";
import { tdbxExtension } from "../../gateway/tdb/tdbx.rules.ts";
import { guarded } from "../shell/guard.ts";
import { Page } from "../ui/Page.tsx";
import { UploadProgress } from "../ui/UploadProgress.tsx";
import { ChosenFilesList } from "./ChosenFilesList.tsx";
import { formatFileSize } from "./fileSize.ts";
import { ReceiptsSection } from "./ReceiptsSection.tsx";
import { type Progress, useTdbUpload } from "./useTdbUpload.ts";
import "./tdbs.css";
import "./TdbUploadScreen.css";

export const loader = guarded("uploadTdbs");

const intents = { pending: Intent.PRIMARY, successful: Intent.SUCCESS, failed: Intent.DANGER, warning: Intent.WARNING } as const;

function timeText(seconds: number): string {
  if (seconds < 60) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${minutes} min left` : `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

function SpeedNote({ progress, isPaused }: { progress: Progress; isPaused: boolean }) {
  const { sent, total, bytesPerSecond } = progress;
  const done = `${formatFileSize(sent)} of ${formatFileSize(total)}`;
  if (isPaused) return <p className="tdb-speed">Paused at {done}. It can be resumed, even after the browser was closed: choose the file again.</p>;
  const speed = bytesPerSecond && bytesPerSecond > 0 ? ` · ${formatFileSize(bytesPerSecond)}/s · ${timeText((total - sent) / bytesPerSecond)}` : "";
  return (
    <p className="tdb-speed">
      {done}
      {sent < total ? speed : ""}
    </p>
  );
}

/** Sends transport databases: told beforehand what each file holds, resumable, with a receipt. */
export function TdbUploadScreen() {
  const { files, total, outcome, progress, isPaused, receipts, choose, upload, cancel, pause, resume } = useTdbUpload();
  const input = useRef<HTMLInputElement>(null);
  const isSending = progress !== undefined;
  return (
    <Page title="TDB Upload" subtitle="Up to 30 GB at once. An upload that stops goes on where it was: choose the same file again.">
      <div className="card tdb-upload">
        <FormGroup label="TDB files" labelFor="tdb-files">
          <FileInput
            buttonText="Browse"
            disabled={isSending}
            fill
            hasSelection={files.length > 0}
            size="large"
            text={files.length === 0 ? "Choose files (.tdbx) …" : `${files.length} file(s) chosen`}
            inputProps={{
              id: "tdb-files",
              ref: input,
              accept: tdbxExtension,
              multiple: true,
              onChange: ({ currentTarget }) => {
                choose([...(currentTarget.files ?? [])]);
                // The same file can be chosen again.
                currentTarget.value = "";
              },
            }}
          />
        </FormGroup>
        <ChosenFilesList files={files} total={total} />
        {progress ? (
          <>
            <UploadProgress
              finalising="Finalising, please wait..."
              label="Upload of TDB files"
              percent={progress.total > 0 ? Math.floor((progress.sent / progress.total) * 100) : 0}
            />
            <SpeedNote isPaused={isPaused} progress={progress} />
          </>
        ) : null}
        <div className="tdbs-actions">
          <Button
            className={`tdb-upload-button is-${outcome.tone}`}
            disabled={isSending}
            intent={intents[outcome.tone]}
            onClick={() => void upload()}
            text={outcome.caption}
          />
          {isSending ? <Button onClick={isPaused ? resume : pause} text={isPaused ? "Resume" : "Pause"} /> : null}
          <Button disabled={!isSending && files.length === 0} onClick={cancel} text="Cancel" />
        </div>
      </div>
      <ReceiptsSection receipts={receipts} />
    </Page>
  );
}
