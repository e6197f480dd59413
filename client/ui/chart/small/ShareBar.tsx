import type { ReactNode } from "react";
import "./ShareBar.css";

type ShareBarProps = { /** in percent */ share: number; text: string; title: string; children?: ReactNode };

/** A share in words, with a bar of its cell's width below it, and notes on it. */
export function ShareBar({ share, text, title, children }: ShareBarProps) {
  return (
    <span className="share-bar" title={title}>
      {text}
      <svg aria-hidden="true" className="share-bar-line" preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect height="1" width={share} />
      </svg>
      {children}
    </span>
  );
}
