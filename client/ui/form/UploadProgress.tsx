import { Intent, ProgressBar } from "@blueprintjs/core";
import "./UploadProgress.css";

type UploadProgressProps = { percent: number; label: string; finalising: string };

/** The progress of an upload. At 100 percent it says that the server is still working. */
export function UploadProgress({ percent, label, finalising }: UploadProgressProps) {
  return (
    <div className="stack is-close">
      <ProgressBar
        aria-label={label}
        className="upload-progress"
        intent={Intent.PRIMARY}
        stripes={false}
        value={percent / 100}
      />
      <p className="soft" role="status">
        {percent >= 100 ? finalising : `${percent} %`}
      </p>
    </div>
  );
}
