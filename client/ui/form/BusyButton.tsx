import { Button, Classes, Spinner, SpinnerSize, type ButtonProps } from "@blueprintjs/core";
import type { MouseEvent } from "react";

type BusyButtonProps = Omit<ButtonProps, "loading" | "ref"> & { isBusy: boolean };

/**
 * Blueprint's Button with `loading` is disabled, so it loses the focus, and its name with it: this one keeps both.
 * It looks the same, and ignores clicks while its action is running.
 */
export function BusyButton({ isBusy, onClick, className = "", ...props }: BusyButtonProps) {
  if (!isBusy) return <Button {...props} className={className} onClick={onClick} />;
  return (
    <Button
      {...props}
      aria-disabled
      aria-label={typeof props.text === "string" ? props.text : undefined}
      className={`${Classes.LOADING} ${className}`}
      icon={<Spinner className={Classes.BUTTON_SPINNER} size={SpinnerSize.SMALL} />}
      onClick={(event: MouseEvent<HTMLElement>) => event.preventDefault()}
    />
  );
}
