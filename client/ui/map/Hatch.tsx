/** The pattern for areas without a figure: `fill: url(#id)`. `size` is the size of the map in its own units. */
export function Hatch({ id, size }: { id: string; size: number }) {
  return (
    <defs>
      <pattern height={size / 60} id={id} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width={size / 60}>
        <rect className="map-hatch-ground" height={size / 60} width={size / 60} />
        <line className="map-hatch-line" strokeWidth={size / 150} x1="0" x2="0" y1="0" y2={size / 60} />
      </pattern>
    </defs>
  );
}
