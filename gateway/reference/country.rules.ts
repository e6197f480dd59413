/** Checks that positions are in the country. A position outside of it is probably a mistake. */

/** Zambia's bounding box, in degrees, with a small margin. */
const country = { south: -18.2, north: -8.1, west: 21.9, east: 33.8 };
/** Whether a position is in Zambia or close to it. */
export const isInCountry = (latitude: number, longitude: number): boolean =>
  latitude >= country.south && latitude <= country.north && longitude >= country.west && longitude <= country.east;

/** Why a position cannot be in Zambia, with the probable mistake if there is an obvious one; undefined if it can. */
export function whyOutside(latitude: number, longitude: number): string | undefined {
  if (isInCountry(latitude, longitude)) return undefined;
  const mistakes: [boolean, string][] = [
    [isInCountry(longitude, latitude), "latitude and longitude are probably swapped"],
    [isInCountry(-latitude, longitude), "the minus sign of the latitude is probably missing"],
    [isInCountry(-longitude, latitude), "latitude and longitude are probably swapped and the minus sign is missing"],
    [latitude === 0 && longitude === 0, "zero probably stands for unknown"],
  ];
  const likely = mistakes.find(([holds]) => holds)?.[1];
  return `${latitude}, ${longitude} is outside Zambia${likely ? ` (${likely})` : ""}`;
}
