import { Button } from "@blueprintjs/core";
import { CrossIcon, PauseIcon, PlayIcon, WarningSignIcon } from "@blueprintjs/icons";
import { formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { cutName } from "./cutName.ts";
import { cancel, pause, resume } from "./upload/uploads.ts";
import type { UploadFile } from "./upload/uploadState.ts";

function FileFacts({ file, inspection }: UploadFile) {
  if (!inspection) return <span className="soft">Reading …</span>;
  const { manifest, facility, warning } = inspection;
  const facts = manifest
    ? [
        facility,
        manifest.delta ? "Delta TDB" : undefined,
        `created ${formatDate(manifest.createdAt)}`,
        `${formatNumber(manifest.totalPatients)} clients`,
        formatFileSize(file.size),
      ]
    : [formatFileSize(file.size)];
  return (
    <>
      <span className="soft">{facts.filter(Boolean).join(" · ")}</span>
      {warning ? (
        <span className="warn">
          <WarningSignIcon size={14} /> {warning}
        </span>
      ) : null}
    </>
  );
}

function stateText({ state, file, there, receipt, inspection }: UploadFile): string | undefined {
  const share = `${formatFileSize(there)} of ${formatFileSize(file.size)}`;
  switch (state) {
    case "chosen":
      if (inspection?.isRefused) return "Will not be sent.";
      return there > 0 ? `Goes on where it stopped: ${share} are at the server.` : undefined;
    case "waiting":
      return there > 0 ? `Waits at ${share}` : "Waits";
    case "sending":
      return there < file.size ? `Sending: ${share}` : "Being checked";
    case "paused":
      return `Paused at ${share}`;
    case "settled":
      return receipt?.accepted ? "Received" : "Failed";
  }
}

/** The actions for one file. */
function FileActions({ id, file, state }: UploadFile) {
  if (state === "settled") return null;
  const name = cutName(file.name);
  const isUnderWay = state === "waiting" || state === "sending";
  return (
    <div className="row">
      {state === "paused" ? (
        <Button
          aria-label={`Resume ${name}`}
          icon={<PlayIcon />}
          onClick={() => resume(id)}
          title="Resume this file"
          variant="minimal"
        />
      ) : null}
      {isUnderWay ? (
        <Button
          aria-label={`Pause ${name}`}
          icon={<PauseIcon />}
          onClick={() => pause(id)}
          title="Pause this file"
          variant="minimal"
        />
      ) : null}
      <Button
        aria-label={`Cancel ${name}`}
        icon={<CrossIcon />}
        onClick={() => cancel(id)}
        title="Cancel this file"
        variant="minimal"
      />
    </div>
  );
}

/** The chosen files with their contents and progress. With more than four the list scrolls. */
export function ChosenFilesList({ files }: { files: UploadFile[] }) {
  if (files.length === 0) return null;
  const total = files.reduce((sum, { file }) => sum + file.size, 0);
  return (
    <div className="stack is-close">
      <ul className={files.length > 4 ? "plain is-scrolling is-of-four" : "plain"} aria-label="Chosen files">
        {files.map((chosen) => (
          <li className="tdb-file row" key={chosen.id}>
            <div className="is-main">
              <span className="tdb-file-name" title={chosen.file.name}>
                {cutName(chosen.file.name)}
              </span>
              <FileFacts {...chosen} />
              <span className="soft">{stateText(chosen)}</span>
            </div>
            <FileActions {...chosen} />
          </li>
        ))}
      </ul>
      <p className="soft">
        {files.length} file(s), total size {formatFileSize(total)}
      </p>
    </div>
  );
}
