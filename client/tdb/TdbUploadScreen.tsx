import { Button, Card, FileInput, FormGroup, Intent } from "@blueprintjs/core";
import { TermButton } from "../glossary/TermButton.tsx";
import { tdbxExtension } from "../../gateway/tdb/tdbxFile.rules.ts";
import { guarded } from "../shell/session/guard.ts";
import { Page } from "../ui/page/Page.tsx";
import { UploadProgress } from "../ui/form/UploadProgress.tsx";
import { ChosenFilesList } from "./ChosenFilesList.tsx";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { ReceiptsSection } from "./ReceiptsSection.tsx";
import { UnfinishedSection } from "./UnfinishedSection.tsx";
import { chooseFiles } from "./upload/chooseFiles.ts";
import { percentOf, prospectOf } from "./upload/progressText.ts";
import { begin, cancelAll, pauseAll, resumeAll } from "./upload/uploads.ts";
import { type Uploads, useUploads } from "./upload/uploadState.ts";
import "./TdbUploadScreen.css";

export const loader = guarded("uploadTdbs");

const intents = {
  pending: Intent.PRIMARY,
  successful: Intent.SUCCESS,
  failed: Intent.DANGER,
  warning: Intent.WARNING,
} as const;

function SpeedNote(uploads: Uploads) {
  const { progress, isPaused } = uploads;
  if (!progress) return null;
  const { sent, total, bytesPerSecond, quietSeconds, trouble } = progress;
  const done = `${formatFileSize(sent)} of ${formatFileSize(total)}`;
  if (isPaused)
    return (
      <p className="soft">
        Paused at {done}. It can be resumed, even after the browser was closed: choose the file again.
      </p>
    );
  const speed =
    bytesPerSecond && !quietSeconds && !trouble && sent < total ? `${formatFileSize(bytesPerSecond)}/s` : undefined;
  return <p className="soft">{[done, speed, prospectOf(uploads)].filter(Boolean).join(" · ")}</p>;
}

/**
 * Sends transport databases: it shows what each file holds, resumes broken uploads, and gives receipts. Uploads
 * continue when the screen is left.
 */
export function TdbUploadScreen() {
  const uploads = useUploads();
  const { files, outcome, progress, isPaused, receipts, again } = uploads;
  const isSending = progress !== undefined;
  return (
    <Page
      title="TDB Upload"
      help={<TermButton term="tdb" name="TDB" />}
      subtitle="Up to 30 GB at once. An upload that stops goes on where it was: choose the same file again."
    >
      <Card className="stack screen-only">
        <FormGroup label="TDB files" labelFor="tdb-files">
          <FileInput
            buttonText="Browse"
            disabled={isSending}
            fill
            hasSelection={files.length > 0}
            size="large"
            text={files.length === 0 ? "Choose .tdbx files" : `${files.length} file(s) chosen`}
            inputProps={{
              id: "tdb-files",
              accept: tdbxExtension,
              multiple: true,
              onChange: ({ currentTarget }) => {
                chooseFiles([...(currentTarget.files ?? [])]);
                // Cleared, so that the same file can be chosen again.
                currentTarget.value = "";
              },
            }}
          />
        </FormGroup>
        <ChosenFilesList files={files} />
        {progress ? (
          <>
            <UploadProgress
              finalising="Finalising, please wait..."
              label="Upload of TDB files"
              percent={percentOf(progress)}
            />
            <SpeedNote {...uploads} />
          </>
        ) : null}
        <div className="row">
          <Button
            className="tdb-upload-button"
            disabled={isSending}
            intent={intents[outcome.tone]}
            onClick={begin}
            text={outcome.caption}
          />
          {isSending ? <Button onClick={isPaused ? resumeAll : pauseAll} text={isPaused ? "Resume" : "Pause"} /> : null}
          <Button disabled={!isSending && files.length === 0} onClick={cancelAll} text="Cancel" />
        </div>
      </Card>
      <ReceiptsSection
        again={again}
        onAgain={() => {
          chooseFiles(again);
          begin();
        }}
        receipts={receipts}
      />
      {isSending ? null : <UnfinishedSection />}
    </Page>
  );
}
