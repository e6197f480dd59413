import { type ReactNode, type SVGProps, useState } from "react";
import { moveAmong } from "../moveAmong.ts";
import "./SpokenDrawing.css";

/** A value of a drawing in words, and the upright line on which it lies. */
export type SpokenPoint = { x: number; from: number; to: number; said: string };

type SpokenDrawingProps = Omit<SVGProps<SVGSVGElement>, "points"> & {
  label: string;
  points: readonly SpokenPoint[];
  /** The point that Tab reaches. */
  first: number;
  /** How many points further the arrow down leads. */
  down?: number;
  children: ReactNode;
};

/** A drawing whose values are said for the pointer and the keyboard: Tab reaches one, the arrows the others. */
export function SpokenDrawing({ label, points, first, down = 1, children, ...svg }: SpokenDrawingProps) {
  const [at, setAt] = useState<number>();
  const leave = () => setAt(undefined);
  return (
    <span
      className="spoken-drawing"
      onKeyDown={(event) => moveAmong([...event.currentTarget.querySelectorAll("line")], event, down)}
      role="presentation"
    >
      <svg {...svg} aria-label={label} role="figure">
        {children}
        {points.map(({ x, from, to, said }, index) => (
          <line
            aria-label={said}
            className="spoken-point"
            key={said}
            onBlur={leave}
            onFocus={() => setAt(index)}
            onPointerEnter={() => setAt(index)}
            onPointerLeave={leave}
            role="img"
            tabIndex={index === first ? 0 : -1}
            x1={x}
            x2={x}
            y1={from}
            y2={to}
          />
        ))}
      </svg>
      {at === undefined ? null : (
        <span aria-hidden="true" className="spoken-words">
          {points[at]?.said}
        </span>
      )}
    </span>
  );
}
