import "./UploadProgress.css";

type UploadProgressProps = { percent: number; label: string; finalising: string };

/** The progress of an upload. At 100 percent it says that the server is still working. */
export function UploadProgress({ percent, label, finalising }: UploadProgressProps) {
  const isFinalising = percent >= 100;
  return (
    <div className="upload-progress">
      <div className="upload-progress-bar" role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
        <div className="upload-progress-done" style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <p className="upload-progress-text" role="status">
        {isFinalising ? finalising : `${percent} %`}
      </p>
    </div>
  );
}
