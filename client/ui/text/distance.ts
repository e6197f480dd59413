/** A distance as it is said: "340 m", "4.2 km", "12 km". */
export function distanceText(metres: number): string {
  if (metres < 995) return `${Math.round(metres / 10) * 10} m`;
  const km = metres / 1000;
  return km < 9.95 ? `${km.toFixed(1)} km` : `${Math.round(km)} km`;
}
