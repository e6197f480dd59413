import { Button, type ButtonProps } from "@blueprintjs/core";
import type { MouseEvent } from "react";
import "./BusyButton.css";

type BusyButtonProps = Omit<ButtonProps, "loading" | "ref"> & { isBusy: boolean };

/**
 * A button that shows that its action is running and ignores clicks meanwhile. It keeps the focus, which a disabled button would lose, so
 * people who use the keyboard continue where they were.
 */
export function BusyButton({ isBusy, onClick, className = "", ...props }: BusyButtonProps) {
  const click = (event: MouseEvent<HTMLElement>) => {
    if (isBusy) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <Button
      {...props}
      aria-disabled={isBusy ? true : undefined}
      className={isBusy ? `busy-button is-busy ${className}` : className}
      onClick={click}
    />
  );
}
