import { expect, test } from "vitest";

import { areaTextLimits, assessmentChangeRules, newAssessmentRules, textLimits } from "./assessment.rules.ts";
import { numberText } from "../input/text.rules.ts";
import { before, changed, changesBetween, contentOf } from "./content.rules.ts";

const minimal = {
  facilityUuid: "f",
  functionalityStatusMode: "EFirst",
  dateOfLastUpgrade: "2025-01-31",
  numberOfStaffTrainedInSmartCare: 0,
} as const;
const uuid = "0190a1b2-0000-7000-8000-00000000abcd";
const problems = (
  input: object,
  rules: typeof newAssessmentRules | typeof assessmentChangeRules = newAssessmentRules,
) => {
  const result = rules.safeParse(input);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
};

test("accepts an assessment with only the required fields", () => expect(problems(minimal)).toEqual([]));

test.each(Object.entries(textLimits))("%s accepts %i characters, but not one more", (name, most) => {
  expect(problems({ ...minimal, [name]: "x".repeat(most) })).toEqual([]);
  expect(problems({ ...minimal, [name]: "x".repeat(most + 1) })).toEqual([
    `${name} may have at most ${numberText(most)} characters`,
  ]);
});

test.each(Object.entries(areaTextLimits))(
  "a service area's %s accepts %i characters, but not one more",
  (name, most) => {
    const area = (length: number) => ({
      ...minimal,
      serviceAreaAssessments: [{ serviceAreaId: 1, [name]: "x".repeat(length) }],
    });
    expect(problems(area(most))).toEqual([]);
    expect(problems(area(most + 1))).toEqual([`serviceAreaAssessments.0.${name} may have at most ${most} characters`]);
  },
);

test.each<[string, unknown, string[]]>([
  ["functionalityStatusMode", undefined, ["is required"]],
  ["functionalityStatusMode", null, ["is required"]],
  ["functionalityStatusMode", "Efirst", ["must be one of EFirst, EFast, ELast, NotDeployed, Partial, NotOperational"]],
  ["dateOfLastUpgrade", "", ["is required"]],
  ["dateOfLastUpgrade", "1900-01-01", []],
  ["dateOfLastUpgrade", "1899-12-31", ["must be a date from 1900 to 9998"]],
  ["dateOfLastUpgrade", "9999-01-01", ["must be a date from 1900 to 9998"]],
  ["dateOfLastUpgrade", "2025-02-29", ["must be a date, YYYY-MM-DD"]],
  ["dateOfLastUpgrade", "31.1.2025", ["must be a date, YYYY-MM-DD"]],
  ["numberOfStaffTrainedInSmartCare", null, ["is required"]],
  ["numberOfStaffTrainedInSmartCare", -1, ["must not be negative"]],
  ["numberOfStaffTrainedInSmartCare", 0.5, ["must be a whole number"]],
  ["numberOfStaffTrainedInSmartCare", "3", ["must be a whole number"]],
  ["numberOfStaffTrainedInSmartCare", 10_000, []],
  ["numberOfStaffTrainedInSmartCare", 10_001, ["must be at most 10,000"]],
  ["numberOfStaffTrainedInSmartCare", 977_123_456, ["must be at most 10,000"]],
  ["smartCareFunctional", "yes", ["must be true, false or null"]],
  ["smartCareFunctional", null, []],
  ["otherIssues", 5, ["must be a text"]],
  ["otherIssues", "a\0b", ["holds a character that cannot be stored"]],
  ["otherIssues", "<script>=1+1</script> 😀", []],
  ["assessmentUuid", "mine", ["must be a UUID"]],
])("checks %s %j", (name, value, expected) => {
  expect(problems({ ...minimal, [name]: value })).toEqual(expected.map((message) => `${name} ${message}`));
});

test.each<[number | null, number | null, string[]]>([
  [-90, 180, []],
  [90, -180, []],
  [null, null, []],
  [-90.0001, 0, ["latitude must be between -90 and 90"]],
  [0, 180.0001, ["longitude must be between -180 and 180"]],
  [1, null, ["longitude is needed with the other coordinate"]],
  [null, 1, ["latitude is needed with the other coordinate"]],
])("checks the coordinates %d, %d", (latitude, longitude, expected) => {
  expect(problems({ ...minimal, latitude, longitude })).toEqual(expected);
});

const place = { latitude: -15.4, longitude: 28.3 };
test.each<[object, string[]]>([
  [{ ...place, positionAccuracy: 0, positionAt: "2026-11-22T09:30:00+02:00" }, []],
  [{ ...place, positionAccuracy: 15_000.5, positionAt: null }, []],
  [{ ...place, positionAccuracy: -1 }, ["positionAccuracy must not be negative"]],
  [{ ...place, positionAccuracy: 1e9 }, ["positionAccuracy is too large"]],
  [
    { ...place, positionAt: "2026-11-22 09:30" },
    ["positionAt must be an instant with its zone, such as 2026-11-22T09:30:00+02:00"],
  ],
  [{ positionAccuracy: 12 }, ["positionAccuracy is accepted only with latitude and longitude"]],
  [
    { latitude: null, longitude: null, positionAt: "2026-11-22T09:30:00Z" },
    ["positionAt is accepted only with latitude and longitude"],
  ],
])("checks the position %j", (position, expected) => {
  expect(problems({ ...minimal, ...position })).toEqual(expected);
});

test("an edit requires the assessment's UUID; a new assessment refuses unknown keys", () => {
  expect(problems({}, assessmentChangeRules)).toEqual(["assessmentUuid is required"]);
  expect(problems({ assessmentUuid: uuid, version: 1 }, assessmentChangeRules)).toEqual([]);
  expect(problems({ assessmentUuid: uuid, version: 1, functionalityStatusMode: null }, assessmentChangeRules)).toEqual([
    "functionalityStatusMode is required",
  ]);
  expect(newAssessmentRules.safeParse({ ...minimal, mood: 1 }).error?.issues[0]?.code).toBe("unrecognized_keys");
});

test.each<[boolean | null, boolean | null, boolean | null]>([
  [true, true, true],
  [true, false, false],
  [true, null, null],
  [false, true, false],
  [false, null, false],
  [false, false, false],
  [null, true, null],
  [null, false, false],
  [null, null, null],
])("power present: %s, working: %s, stored as working: %s", (primaryPower, primaryPowerWorking, expected) => {
  const given = newAssessmentRules.parse({
    ...minimal,
    primaryPower,
    primaryPowerWorking,
    backupPower: primaryPower,
    backupPowerWorking: primaryPowerWorking,
  });
  expect(contentOf(given)).toMatchObject({ primaryPowerWorking: expected, backupPowerWorking: expected });
});

test("changes lead from one state to the next, and back", () => {
  const first = contentOf(
    newAssessmentRules.parse({
      ...minimal,
      primaryPower: true,
      primaryPowerWorking: true,
      serviceAreaAssessments: [{ serviceAreaId: 2 }, { serviceAreaId: 1, libraryVersion: " 4.1 " }],
    }),
  );
  const edit = {
    otherIssues: "Moved",
    primaryPower: false,
    serviceAreaAssessments: [{ serviceAreaId: 1, additionalNotes: "New room" }, { serviceAreaId: 9 }],
  };
  const second = changed(first, edit);
  expect(second.serviceAreaAssessments.map(({ serviceAreaId }) => serviceAreaId)).toEqual([1, 2]);
  const changes = changesBetween(first, second);
  expect(changes).toEqual([
    { field: "primaryPower", from: true, to: false },
    { field: "primaryPowerWorking", from: true, to: false },
    { field: "otherIssues", from: null, to: "Moved" },
    { field: "serviceAreaAssessments.1.additionalNotes", from: null, to: "New room" },
  ]);
  expect(before(second, changes)).toEqual(first);
  expect(changesBetween(first, first)).toEqual([]);
});
