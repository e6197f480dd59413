import { expect, test } from "vitest";

import { contentOfForm, toForm } from "./formValues.ts";
import { reviewRows } from "./review.ts";

const content = (said: Parameters<typeof toForm>[0]) => contentOfForm(toForm(said));
const rowsOf = (now: Parameters<typeof toForm>[0], last: Parameters<typeof toForm>[0] | null) =>
  reviewRows(content(now), last && content(last), (id) => `Area ${id}`);

test("a row for each answer, area and contact, in the order of the form, with both visits in words", () => {
  const rows = rowsOf(
    {
      primaryPower: true,
      functionalityStatusMode: "EFirst",
      numberOfStaffTrainedInSmartCare: 5,
      contactAName: "Ruth",
      contactAEmail: "ruth@example.org",
      serviceAreaAssessments: [
        { serviceAreaId: 7, libraryVersion: "4.3.1" },
        { serviceAreaId: 8, smartCareFunctional: false, additionalNotes: "No mouse" },
        { serviceAreaId: 9 },
      ],
    },
    {
      primaryPower: false,
      dateOfLastUpgrade: "2024-05-31",
      serviceAreaAssessments: [{ serviceAreaId: 8, smartCareFunctional: true, databaseVersion: "18.6" }],
    },
  );
  const said = rows.filter(({ now, last }) => now || last).map(({ label, now, last }) => [label, now, last]);
  expect(said).toEqual([
    ["Primary power", "Yes", "No"],
    ["Deployment Mode", "E-First", ""],
    ["Date of last upgrade", "", "31 May 2024"],
    ["Number of staff trained", "5", ""],
    ["Area 7", "not checked, library 4.3.1", ""],
    ["Area 8", "does not work, No mouse", "works, database 18.6"],
    ["Contact Person - Primary", "Ruth, ruth@example.org", ""],
  ]);
  expect(rows.at(-1)?.label).toBe("Closing comments");
  expect(rows.find(({ label }) => label === "Area 9")).toMatchObject({
    field: "serviceAreaAssessments.2.smartCareFunctional",
    now: "",
  });
});

test("of power that is absent the last visit's no is no difference", () => {
  const absent = { primaryPower: false, primaryPowerWorking: false, serviceAreaAssessments: [] };
  expect(rowsOf(absent, absent).filter(({ now, last }) => now !== last)).toEqual([]);
});
