import { expect, test } from "vitest";

import { now } from "../shell/clock/clock.ts";
import { dayIn } from "../ui/text/instants.ts";
import { onDay } from "./visitDay.ts";

const zone = "Africa/Lusaka";
const daysAgo = (days: number) => new Date(now().getTime() - days * 86_400_000);

test("a visit that is moved to another day keeps its local time", () => {
  expect(onDay("2025-01-31T22:30:15.250Z", "2025-03-01", zone)).toBe("2025-02-28T22:30:15.250Z");
  expect(onDay("2025-01-31T21:59:00.000Z", "2025-02-02", zone)).toBe("2025-02-02T21:59:00.000Z");
  // Across the change between summer and winter time.
  expect(onDay("2025-07-01T06:30:00.000Z", "2025-01-15", "Europe/Berlin")).toBe("2025-01-15T07:30:00.000Z");
});

test("its own day and an empty day leave the visit unchanged", () => {
  const instant = "2025-01-31T22:30:15.250Z";
  expect(onDay(instant, "2025-02-01", zone)).toBe(instant);
  expect(onDay(instant, "", zone)).toBe(instant);
});

test("a visit that is moved to today is not later than now", () => {
  const today = dayIn(now(), zone);
  const late = onDay(new Date(`${dayIn(daysAgo(70), zone)}T23:59:59.900+02:00`).toISOString(), today, zone);
  expect(Date.parse(late)).toBeLessThanOrEqual(now().getTime());
  expect(dayIn(new Date(late), zone)).toBe(today);
});
