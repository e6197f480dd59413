import { OfflineIcon } from "@blueprintjs/icons";
import type { ReactNode } from "react";
import { useWhenOnline } from "../network/useWhenOnline.ts";
import { Notice } from "./Notice.tsx";

type NeedsNetworkNoteProps = { heading: string; onRetry: () => void; children: ReactNode };

/** Shown instead of what this device does not have. It is loaded when the network is back. */
export function NeedsNetworkNote({ heading, onRetry, children }: NeedsNetworkNoteProps) {
  useWhenOnline(onRetry);
  return (
    <Notice heading={heading} icon={<OfflineIcon />} role="status">
      <p>{children}</p>
    </Notice>
  );
}
