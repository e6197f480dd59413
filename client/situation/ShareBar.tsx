import type { ReactNode } from "react";
import { percent, shareOf } from "./situationFigures.ts";
import "./ShareBar.css";

type ShareBarProps = { value: number; of: number; title: string; children?: ReactNode };

/** A share as a number with a bar of its cell's width below it, and notes on it. `of` is more than 0. */
export function ShareBar({ value, of, title, children }: ShareBarProps) {
  const share = shareOf(value, of);
  return (
    <span className="share-bar" title={title}>
      {percent(share)}
      <svg aria-hidden="true" className="share-bar-line" preserveAspectRatio="none" viewBox="0 0 100 1">
        <rect height="1" width={share} />
      </svg>
      {children}
    </span>
  );
}
