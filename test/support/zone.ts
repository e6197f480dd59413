/** Runs an act as a process in this time zone does. The zone of a process must not matter: days belong to the ministry's zone. */
export async function inZone<Result>(zone: string, act: () => Promise<Result>): Promise<Result> {
  const before = process.env["TZ"];
  // Node.js takes a new zone at once.
  process.env["TZ"] = zone;
  try {
    return await act();
  } finally {
    process.env["TZ"] = before;
  }
}
