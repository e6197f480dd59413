import { Button } from "@blueprintjs/core";
import { ErrorIcon, OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { Component, type ReactNode, useEffect } from "react";
import { useLocation, useNavigate, useRouteError } from "react-router-dom";
import { FileGone, FileUnreachable, openNewest, openNewestFor } from "../ui/network/newestBuild.ts";
import { useWhenOnline } from "../ui/network/useWhenOnline.ts";
import { Notice } from "../ui/notice/Notice.tsx";

/**
 * Shown in place of a screen that failed to load or to render. If a newer build has replaced its file, the page is
 * reloaded.
 */
function BrokenScreen({ error }: { error: unknown }) {
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

/** Shown in place of a screen whose file could not be fetched. It opens the screen when the network is back. */
function UnreachableScreen() {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const open = () => navigate({ pathname, search }, { replace: true });
  useWhenOnline(open);
  return (
    <Notice heading="There is no connection" icon={<OfflineIcon size={20} />} role="status">
      <p>
        This screen is not kept on this device. It opens as soon as the network is back; nothing that you saved is lost.
      </p>
      <Button icon={<RefreshIcon />} onClick={open} text="Try again" />
    </Notice>
  );
}

/** In place of a screen that failed within the router. */
export function BrokenRoute() {
  const error = useRouteError();
  return error instanceof FileUnreachable ? <UnreachableScreen /> : <BrokenScreen error={error} />;
}

/** Catches an error that no screen caught. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { caught?: { error: unknown } }> {
  override state: { caught?: { error: unknown } } = {};

  static getDerivedStateFromError(error: unknown) {
    return { caught: { error } };
  }

  override render() {
    const { caught } = this.state;
    return caught ? (
      <main className="app-waiting">
        <BrokenScreen error={caught.error} />
      </main>
    ) : (
      this.props.children
    );
  }
}
