import { generate } from "lean-qr";

const quiet = 4;

/** A text as a QR code, drawn on this device. It is dark on light under both themes, because cameras need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const places = Array.from({ length: code.size }, (_, index) => index);
  const path = places.flatMap((y) => places.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`)).join("");
  const side = code.size + 2 * quiet;
  return (
    <svg
      aria-label={label}
      className="factor-qr"
      role="img"
      shapeRendering="crispEdges"
      viewBox={`${-quiet} ${-quiet} ${side} ${side}`}
    >
      <path d={path} />
    </svg>
  );
}
