import { Button } from "@blueprintjs/core";
import { ErrorIcon, RefreshIcon } from "@blueprintjs/icons";
import { Notice } from "./Notice.tsx";

type FailureProps = { message: string; onRetry?: () => void };

/** Says what went wrong and offers to try again. */
export function Failure({ message, onRetry }: FailureProps) {
  return (
    <Notice heading="This could not be loaded" icon={<ErrorIcon />} role="alert" tone="bad">
      <p>{message}</p>
      {onRetry ? <Button icon={<RefreshIcon />} onClick={onRetry} text="Try again" /> : null}
    </Notice>
  );
}
