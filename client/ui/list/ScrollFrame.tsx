import { Card } from "@blueprintjs/core";
import { type ReactNode, useEffect, useRef, useState } from "react";

type ScrollFrameProps = { label: string; className?: string; children: ReactNode };

/**
 * The frame of a table. If the table is wider than its frame, the frame can have the focus, so that the keyboard
 * scrolls the table (WCAG 2.1.1).
 */
export function ScrollFrame({ label, className = "", children }: ScrollFrameProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const element = frame.current!;
    const observer = new ResizeObserver(() => setScrolls(element.scrollWidth > element.clientWidth));
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, []);
  const stop = scrolls ? { "aria-label": label, role: "region", tabIndex: 0 } : {};
  return (
    <Card className={`data-table-frame ${className}`} ref={frame} {...stop}>
      {children}
    </Card>
  );
}
