import type { KeyboardEvent } from "react";

/**
 * Moves the focus among the parts of a drawing: Tab reaches one, the arrows, Home and End the others. `down`: how many
 * parts further the arrow down leads.
 */
export function moveAmong(parts: readonly SVGElement[], event: KeyboardEvent, down = 1): void {
  const at = parts.indexOf(event.target as SVGElement);
  const next = {
    ArrowRight: at + 1,
    ArrowDown: at + down,
    ArrowLeft: at - 1,
    ArrowUp: at - down,
    Home: 0,
    End: parts.length - 1,
  };
  const part = at >= 0 && event.key in next ? parts[next[event.key as keyof typeof next]] : undefined;
  if (!part) return;
  event.preventDefault();
  parts[at]!.setAttribute("tabindex", "-1");
  part.setAttribute("tabindex", "0");
  part.focus();
}
