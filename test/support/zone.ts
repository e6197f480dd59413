/**
 * Runs an act as if the process were in this time zone. The zone of a process must not matter: days are those of the
 * ministry's zone.
 */
export async function inZone<Result>(zone: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.env["TZ"];
  // Node.js applies a new zone at once.
  process.env["TZ"] = zone;
  try {
    return await act();
  } finally {
    process.env["TZ"] = before;
  }
}
