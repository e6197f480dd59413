import { Button } from "@blueprintjs/core";
import { ErrorIcon, RefreshIcon } from "@blueprintjs/icons";
import { useEffect } from "react";
import { Notice } from "../ui/notice/Notice.tsx";
import { FileGone, openNewest, openNewestFor } from "../ui/network/newestBuild.ts";

type BrokenScreenProps = {
  /** why it failed */
  error: unknown;
};

/** Shown in place of a screen that failed to load or to render. If a newer build has replaced its file, the page is reloaded. */
export function BrokenScreen({ error }: BrokenScreenProps) {
  const isReplaced = error instanceof FileGone;
  useEffect(() => {
    if (isReplaced) openNewestFor(error.address);
  }, [isReplaced, error]);

  return (
    <Notice
      heading={isReplaced ? "A new version was installed" : "This screen does not work right now"}
      icon={<ErrorIcon size={20} />}
      role="alert"
      tone={isReplaced ? "calm" : "bad"}
    >
      <p>{isReplaced ? "This page opens again with it." : "Reloading usually helps."}</p>
      <Button icon={<RefreshIcon />} onClick={() => void openNewest()} text="Reload" />
    </Notice>
  );
}
