import { WarningSignIcon } from "@blueprintjs/icons";
import { formatNumber } from "../reference/counted.ts";
import { formatDate } from "../ui/dates.ts";
import { formatFileSize } from "./fileSize.ts";
import { cutName } from "./inspectFile.ts";
import type { ChosenFile } from "./useTdbUpload.ts";

function FileFacts({ file, inspection }: ChosenFile) {
  if (!inspection) return <span className="tdb-file-facts">Reading …</span>;
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
      <span className="tdb-file-facts">{facts.filter(Boolean).join(" · ")}</span>
      {warning ? (
        <span className="tdb-file-warning">
          <WarningSignIcon size={14} /> {warning}
        </span>
      ) : null}
    </>
  );
}

/** The chosen files with what they hold; the list scrolls when there are more than four. */
export function ChosenFilesList({ files, total }: { files: ChosenFile[]; total: number }) {
  if (files.length === 0) return null;
  return (
    <div className="tdb-files">
      <ul className={files.length > 4 ? "tdb-file-list is-scrolling" : "tdb-file-list"} aria-label="Chosen files">
        {files.map((chosen) => (
          <li className="tdb-file" key={chosen.id}>
            <span className="tdb-file-name" title={chosen.file.name}>
              {cutName(chosen.file.name)}
            </span>
            <FileFacts {...chosen} />
          </li>
        ))}
      </ul>
      <p className="tdb-files-total">
        {files.length} file(s), total size {formatFileSize(total)}
      </p>
    </div>
  );
}
