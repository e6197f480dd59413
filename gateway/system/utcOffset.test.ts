import { expect, test } from "vitest";
import { utcOffsetOf } from "./utcOffset.ts";

test.each([
  ["Africa/Lusaka", 120],
  ["UTC", 0],
  ["Asia/Kolkata", 330],
  ["Africa/Monrovia", 0],
  ["America/Phoenix", -420],
  // Summer time.
  ["Europe/London", null],
  ["America/St_Johns", null],
  // Another clock since 2018.
  ["Africa/Sao_Tome", null],
])("the clock of %s is ahead of UTC by %s minutes", (zone, minutes) => {
  expect(utcOffsetOf(zone)).toBe(minutes);
});
