import "./UploadProgress.css";

type UploadProgressProps = { percent: number; label: string; finalising: string };

/** How far an upload is; at 100 it says that the server is still at work. */
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
