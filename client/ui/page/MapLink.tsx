const decimals = 4;

/** Coordinates, as a link to a map. */
export function MapLink({ latitude, longitude }: { latitude: number; longitude: number }) {
  const [lat, lon] = [latitude.toFixed(decimals), longitude.toFixed(decimals)];
  return (
    <a
      href={`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=15/${lat}/${lon}`}
      target="_blank"
      rel="noreferrer"
    >
      {`${lat}, ${lon}`}
      <span className="visually-hidden"> on a map, in a new tab</span>
    </a>
  );
}
