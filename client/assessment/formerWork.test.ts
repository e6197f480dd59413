import { expect, test } from "vitest";
import { contentOf } from "../../gateway/assessment/content.rules.ts";
import { presentWork } from "./formerWork.ts";
import { missingOf, progressOf } from "./formSections.ts";
import { contentOfForm, editOf, toForm } from "./formValues.ts";
import type { KeptWork } from "./keptWork.ts";

/** Work that the client of November 2026 stored: tick boxes without null, a position without accuracy and instant. */
const said = {
  primaryPower: true,
  primaryPowerWorking: false,
  backupPower: false,
  backupPowerWorking: false,
  latitude: -15,
  longitude: 28,
};
function formerWork(base: KeptWork["base"], status: KeptWork["status"]): KeptWork {
  const { positionAccuracy: _accuracy, positionAt: _at, ...values } = toForm({ ...said, serviceAreaAssessments: [] });
  // The record as it lies in the store.
  return {
    workId: "w",
    facilityUuid: "f",
    facilityName: "F",
    assessmentUuid: "a",
    isNew: !base,
    base,
    values,
    status,
    typed: null,
    reason: null,
    savedAt: null,
    keptAt: "",
  } as KeptWork;
}

test.each(["draft", "waiting"] as const)("a new visit (%s) keeps its answers as they were", (status) => {
  const { values } = presentWork(formerWork(null, status));
  expect(contentOfForm(values)).toMatchObject({ ...said, positionAccuracy: null, positionAt: null });
});

test("an edit does not turn an answer that nobody gave into a no", () => {
  const content = contentOf({ primaryPower: true, primaryPowerWorking: true, latitude: -15, longitude: 28 });
  const { values } = presentWork(formerWork({ version: 1, content }, "waiting"));
  expect(contentOfForm(values)).toMatchObject({ backupPower: null, backupPowerWorking: null });
  expect(editOf(contentOfForm(toForm(content)), contentOfForm(values))).toEqual({ primaryPowerWorking: false });
});

test("work that this client stored stays as it is, also an answer changed from unknown to no", () => {
  const content = contentOf({});
  const work = formerWork({ version: 1, content }, "draft");
  const own = { ...work, values: { ...work.values, positionAccuracy: null, positionAt: null } };
  expect(presentWork(own)).toEqual(own);
});

test("an edit never sends another position", () => {
  const content = contentOf({
    latitude: -15,
    longitude: 28,
    positionAccuracy: 12,
    positionAt: "2026-11-27T09:00:00.000Z",
  });
  expect(
    editOf(content, {
      ...content,
      latitude: -13,
      positionAccuracy: 15_000,
      positionAt: null,
      otherIssues: "Corrected",
    }),
  ).toEqual({ otherIssues: "Corrected" });
});

/** A draft of a client that did not know one of today's fields. */
const area = {
  serviceAreaId: 7,
  smartCareFunctional: true,
  libraryVersion: "1.2",
  databaseVersion: "3",
  additionalNotes: "Slow",
};
const answered = toForm({
  ...said,
  positionAt: "2026-11-27T09:00:00.000Z",
  libraryVersion: "1.2",
  contactAName: "Mwape",
  serviceAreaAssessments: [area],
});
const without = <Held extends object>(held: Held, name: string) =>
  Object.fromEntries(Object.entries(held).filter(([own]) => own !== name)) as Held;
const [answeredArea] = answered.serviceAreaAssessments;

test.each([
  ...Object.keys(answered).map((name) => ({ name, values: without(answered, name) })),
  ...Object.keys(answeredArea!)
    .filter((name) => name !== "serviceAreaId")
    .map((name) => ({
      name: `area's ${name}`,
      values: { ...answered, serviceAreaAssessments: [without(answeredArea!, name)] },
    })),
])("a draft without $name is read, counted and sent like one in which nobody filled it in", ({ values: stored }) => {
  const work = { ...formerWork(null, "waiting"), values: stored, typed: stored };
  const { values, typed } = presentWork(work);
  expect(typed).toEqual(values);
  expect(values).toMatchObject(stored);
  expect(Object.keys(values).toSorted()).toEqual(Object.keys(answered).toSorted());
  expect(missingOf(values)).toHaveLength(3);
  const sections = progressOf(values);
  expect(sections.power.answered + sections.smartCare.answered + sections.contacts.answered).toBeGreaterThan(0);
  expect(Object.values(contentOfForm(values))).not.toContain(undefined);
  expect(Object.values(contentOfForm(values).serviceAreaAssessments[0] ?? {})).not.toContain(undefined);
  expect(Object.values(editOf(contentOf({}), contentOfForm(values)))).not.toContain(undefined);
});
