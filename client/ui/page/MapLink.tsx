import type { ReactNode } from "react";

const decimals = 4;

type MapLinkProps = { latitude: number; longitude: number; /** by default the coordinates */ children?: ReactNode };

/** A position, as a link to a map. */
export function MapLink({ latitude, longitude, children }: MapLinkProps) {
  const [lat, lon] = [latitude.toFixed(decimals), longitude.toFixed(decimals)];
  return (
    <a
      href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=15/${lat}/${lon}`}
      target="_blank"
      rel="noreferrer"
    >
      {children ?? `${lat}, ${lon}`}
      <span className="visually-hidden"> on a map, in a new tab</span>
    </a>
  );
}
