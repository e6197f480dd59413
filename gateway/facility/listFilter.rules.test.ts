import { expect, test } from "vitest";

import { valueOf, wordsOf } from "../input/listParameters.rules.ts";
import { isListText, type ListParameterName, listMatch, listParameterNames, parameterOf } from "./listFilter.rules.ts";

test.each<[ListParameterName, string, unknown]>([
  ["assessed", "yes", true],
  ["assessed", "no", false],
  ["modes", "EFirst,none", ["EFirst", "none"]],
  ["modes", "Partial,Partial", ["Partial"]],
  ["assessedBefore", "2028-02-29", "2028-02-29"],
  ["noTdbSince", "2026-09-30", "2026-09-30"],
  ["facilityType", " Hospital ", "Hospital"],
  ["catchmentPopulationFrom", "0", 0],
  ["outside", "21.9,-18.2,33.8,-8", [21.9, -18.2, 33.8, -8]],
  ["assessedBefore", "LAST_4_QUARTERS", "LAST_4_QUARTERS"],
  ["near", "-15.4,28.3,50", { latitude: -15.4, longitude: 28.3, kilometres: 50 }],
  ["near", "-15.4,28.3,50,20", { latitude: -15.4, longitude: 28.3, kilometres: 50, fromKilometres: 20 }],
  ["near", "-15.4,28.3,,200", { latitude: -15.4, longitude: 28.3, fromKilometres: 200 }],
])("%s=%s is read", (name, text, value) => {
  expect(isListText(name, text)).toBe(true);
  expect(valueOf(parameterOf(name), text)).toEqual(value);
});

test.each<[ListParameterName, string]>([
  ["assessed", "Yes"],
  ["assessed", ""],
  ["modes", ""],
  ["modes", "EFirst,"],
  ["modes", "efirst"],
  ["assessedBefore", "2027-02-29"],
  ["assessedBefore", "2027-13-01"],
  ["assessedBefore", "0000-00-00"],
  ["assessedBefore", "1899-12-31"],
  ["noTdbSince", "90"],
  ["noTdbSince", "LAST_9_QUARTERS"],
  ["near", "-15.4,28.3,"],
  ["near", "-15.4,28.3,20,20"],
  ["near", "-15.4,28.3,1001,20"],
  ["inARow", "SMART_CARE_FUNCTIONAL.1.no"],
  ["facilityType", " "],
  ["facilityType", "x".repeat(257)],
  ["facilityType", "a\0b"],
  ["catchmentPopulationTo", "-1"],
  ["catchmentPopulationTo", "1e3"],
  ["outside", "21.9,-18.2,33.8"],
  ["outside", "21.9,-18.2,33.8,-8.1,"],
  ["outside", "21.9,-18.2,33.8,-8.1,0"],
  ["outside", "1234,-18.2,33.8,-8.1"],
  ["outside", "west,south,east,north"],
])("%s=%j is refused", (name, text) => expect(isListText(name, text)).toBe(false));

test("texts become the arguments of FacilityFilter, and no texts become undefined", () => {
  expect(listMatch({})).toBeUndefined();
  expect(listMatch({ connected: "no", position: "yes", modes: "none", inARow: "SMART_CARE_FUNCTIONAL.2.no" })).toEqual({
    inARow: { visits: 2, answer: "SMART_CARE_FUNCTIONAL", said: false },
    connectivityPresent: false,
    hasPosition: true,
    modes: ["none"],
  });
});

test.each<[ListParameterName, string, string]>([
  ["functional", "no", "does not work"],
  ["silent", "yes", "overdue"],
  ["modes", "NotOperational,none", "Not operational or None recorded"],
  ["assessedBefore", "2026-01-31", "since 2026-01-31"],
  ["noTdbSince", "LAST_90_DAYS", "in the last 90 days"],
  ["near", "-15.4,28.3,50,20", "20 to 50 km from -15.4, 28.3"],
  ["inARow", "PRIMARY_POWER_WORKING.3.yes", "3 × Primary power worked"],
])("%s=%s is described in words", (name, text, words) => expect(wordsOf(parameterOf(name), text)).toBe(words));

test("parameter names are unique", () => expect(new Set(listParameterNames).size).toBe(listParameterNames.length));
