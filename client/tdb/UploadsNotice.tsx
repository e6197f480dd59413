import { ProgressBar } from "@blueprintjs/core";
import { Link, useLocation } from "react-router-dom";
import { routes } from "../routes.ts";
import { percentOf, prospectOf } from "./upload/progressText.ts";
import { useUploads } from "./upload/uploadState.ts";
import "./UploadsNotice.css";

/** The progress of this window's uploads, on every screen except the upload screen. */
export function UploadsNotice() {
  const uploads = useUploads();
  const { pathname } = useLocation();
  const { files, progress } = uploads;
  if (!progress || pathname === routes.tdb()) return null;
  const percent = percentOf(progress);
  const prospect = prospectOf(uploads);
  return (
    <aside className="uploads-notice screen-only" aria-label="Upload under way">
      <p>
        <Link to={routes.tdb()}>TDB Upload</Link>: {percent} % of {files.length} file(s)
        {prospect ? ` · ${prospect}` : ""}
      </p>
      <ProgressBar
        animate={false}
        aria-label="Upload of TDB files"
        intent="primary"
        stripes={false}
        value={percent / 100}
      />
    </aside>
  );
}
