import "./mapColours.css";

/** The colour of a class in the legend of a map. The hatch is drawn, because paper may leave out a gradient. */
export function MapSwatch({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" className={`map-swatch ${className}`} viewBox="0 0 12 12">
      {className === "is-none" ? <path className="map-hatch-line" d="M-1 7 7-1M-1 13 13-1M5 13 13 5" /> : null}
    </svg>
  );
}
