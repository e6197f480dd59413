import { Button, type ButtonProps, Overlay2 } from "@blueprintjs/core";
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";
import "./PopoverButton.css";

type PopoverButtonProps = Pick<
  ButtonProps,
  "aria-label" | "className" | "endIcon" | "icon" | "size" | "text" | "title" | "variant"
> & {
  /** The edge of the button with which the content is aligned. */
  side: "start" | "end";
  /** `close` is for what ends the matter, such as an entry of a menu. */
  children: (close: () => void) => ReactNode;
};

/**
 * A button that opens something small below it, until Escape or a click elsewhere. CSS places it: Blueprint's popover
 * brings 16 kB to each list, for a place that it computes.
 */
export function PopoverButton({ side, className = "", children, ...button }: PopoverButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null);
  const content = useId();
  const close = () => setOpen(false);
  /** A dialog returns the focus to where it was when it opened, and an entry is gone then. */
  const choose = () => {
    opener?.focus();
    close();
  };
  const closeFor = ({ type, target }: SyntheticEvent<HTMLElement>) => {
    // A click on the button itself closes by its own handler.
    if (type === "keydown" || !opener?.contains(target as Node)) close();
  };
  const giveFocusBack = (going: HTMLElement) => {
    if (going.contains(document.activeElement)) opener?.focus();
  };
  return (
    <div className={`popover-place ${className}`}>
      <Button
        {...button}
        aria-controls={isOpen ? content : undefined}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        ref={setOpener}
      />
      <Overlay2
        autoFocus={false}
        enforceFocus={false}
        hasBackdrop={false}
        isOpen={isOpen}
        onClose={closeFor}
        onClosing={giveFocusBack}
        shouldReturnFocusOnClose={false}
        transitionDuration={0}
        usePortal={false}
      >
        <div className="popover-content" data-side={side} id={content}>
          {children(choose)}
        </div>
      </Overlay2>
    </div>
  );
}
