import { describe, expect, test } from "vitest";

import { contentOf } from "../../gateway/assessment/content.rules.ts";
import { answerNames } from "../../gateway/assessment/fields.rules.ts";
import {
  clear,
  confirm,
  confirmAnswers,
  fieldOf,
  groupOf,
  groupsOf,
  isOffered,
  nameOf,
  newForm,
  sectionOf,
  take,
  unconfirmedOf,
} from "./carried.ts";
import { presentWork } from "./formerWork.ts";
import { missingOf, progressOf } from "./formSections.ts";
import { contentOfForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import type { KeptWork } from "./keptWork.ts";
import { answerPower } from "./power.ts";

const last = {
  assessmentUuid: "0199a8a2-5a3e-7c61-9c3f-0a54b1c0ffee",
  assessmentDate: "2025-11-08",
  content: contentOf({
    primaryPower: true,
    primaryPowerWorking: true,
    primaryPowerNotes: "National grid",
    backupPower: false,
    smartCareFunctional: true,
    libraryVersionConsistent: true,
    libraryVersion: "4.2.5",
    functionalityStatusMode: "EFirst",
    dateOfLastUpgrade: "2025-05-31",
    numberOfStaffTrainedInSmartCare: 7,
    latitude: -15,
    longitude: 28,
    otherIssues: "Seen then",
    closingComments: "Said then",
    contactAName: "Ruth Kapwelo",
    contactAPrimaryPhone: "+260900012345",
    serviceAreaAssessments: [
      { serviceAreaId: 3, smartCareFunctional: false, libraryVersion: "4.2.5", additionalNotes: "Noted then" },
      { serviceAreaId: 9, smartCareFunctional: true },
    ],
  }),
};
/** Since the last visit the facility got area 4 and lost area 9. */
const areas = [{ serviceAreaId: 4 }, { serviceAreaId: 3 }];
const fields = [
  "libraryVersion",
  "contactAName",
  "contactAPrimaryPhone",
  "serviceAreaAssessments.3.smartCareFunctional",
  "serviceAreaAssessments.3.libraryVersion",
  "serviceAreaAssessments.3.additionalNotes",
];

/** A substitute for the form of react-hook-form, with two of its methods. */
function formOf(values: FormValues) {
  const setValue = (name: string, value: unknown) => {
    const [own, place, part] = name.split(".");
    if (place === undefined) Object.assign(values, { [name]: value });
    else Object.assign((values[own as "serviceAreaAssessments"] as object[])[Number(place)]!, { [part!]: value });
  };
  // The tested functions call no other method of the form.
  return { getValues: () => values, setValue } as unknown as Parameters<typeof confirm>[0];
}

describe("a new assessment's form", () => {
  test("is blank if there was no visit", () => {
    const values = newForm(areas, null);
    expect(values.carried).toBeNull();
    expect(contentOfForm(values)).toEqual(contentOfForm(newForm(areas, { ...last, content: contentOf({}) })));
  });

  test("begins with contacts, versions and service areas of the last visit; what must be observed again is empty", () => {
    const values = newForm(areas, last);
    expect(values.carried?.date).toBe("2025-11-08");
    expect(values.carried?.fields.toSorted()).toEqual(fields.toSorted());
    expect(values).toMatchObject({
      libraryVersion: "4.2.5",
      contactAName: "Ruth Kapwelo",
      contactBName: "",
      primaryPower: null,
      primaryPowerWorking: null,
      backupPower: null,
      backupPowerWorking: null,
      primaryPowerNotes: "",
      smartCareFunctional: "",
      libraryVersionConsistent: "",
      functionalityStatusMode: "",
      dateOfLastUpgrade: "",
      numberOfStaffTrainedInSmartCare: "",
      latitude: null,
      otherIssues: "",
      closingComments: "",
    });
    expect(values.serviceAreaAssessments).toEqual([
      { serviceAreaId: 4, smartCareFunctional: "", libraryVersion: "", databaseVersion: "", additionalNotes: "" },
      {
        serviceAreaId: 3,
        smartCareFunctional: "no",
        libraryVersion: "4.2.5",
        databaseVersion: "",
        additionalNotes: "Noted then",
      },
    ]);
  });

  test("has values of the last visit in its content only after they are confirmed", () => {
    const values = newForm(areas, last);
    expect(contentOfForm(values)).toEqual(contentOfForm(newForm(areas, null)));
    confirm(formOf(values), (field) => groupOf(field) === "contactA");
    expect(contentOfForm(values)).toMatchObject({
      contactAName: "Ruth Kapwelo",
      contactAPrimaryPhone: "+260900012345",
      libraryVersion: null,
    });
    confirm(formOf(values), () => true);
    expect(contentOfForm(values)).toMatchObject({
      libraryVersion: "4.2.5",
      serviceAreaAssessments: [
        { serviceAreaId: 4, smartCareFunctional: null },
        { serviceAreaId: 3, smartCareFunctional: false, libraryVersion: "4.2.5", additionalNotes: "Noted then" },
      ],
    });
  });

  test("clears the chosen unconfirmed fields, and no others", () => {
    const values = newForm(areas, last);
    values.contactAName = "Bupe Mwansa";
    confirm(formOf(values), (field) => field === "contactAName");
    clear(formOf(values), (field) => groupOf(field) !== "versions");
    expect(values).toMatchObject({ contactAName: "Bupe Mwansa", contactAPrimaryPhone: "", libraryVersion: "4.2.5" });
    expect(values.serviceAreaAssessments[1]).toMatchObject({ smartCareFunctional: "", libraryVersion: "" });
    expect(values.carried?.fields).toEqual(["libraryVersion"]);
  });
});

describe("answers that every visit has to find out", () => {
  const { content } = last;

  test.each<[string, Partial<FormValues>, Partial<typeof content>, boolean]>([
    ["primaryPower", {}, {}, true],
    ["primaryPower", { primaryPower: false }, {}, false],
    ["primaryPower", {}, { primaryPower: null }, false],
    ["primaryPowerWorking", { primaryPower: true }, {}, true],
    ["primaryPowerWorking", { primaryPower: false, primaryPowerWorking: false }, {}, false],
    // It was absent: nobody saw whether it works.
    ["backupPowerWorking", { backupPower: true }, {}, false],
    ["backupPowerNotes", {}, {}, false],
    ["smartCareFunctional", {}, {}, true],
    ["smartCareFunctional", { smartCareFunctional: "no" }, {}, false],
    ["smartCareFunctional", {}, { smartCareFunctional: false }, true],
    ["numberOfStaffTrainedInSmartCare", {}, { numberOfStaffTrainedInSmartCare: 0 }, true],
  ])("%s is offered in a form with %j after a visit with %j: %s", (name, form, visit, expected) => {
    expect(isOffered(name as "primaryPower", { ...newForm(areas, last), ...form }, { ...content, ...visit })).toBe(
      expected,
    );
  });

  test("one is taken over by itself", () => {
    const values = newForm(areas, last);
    take(formOf(values), "backupPower", content);
    take(formOf(values), "smartCareFunctional", content);
    take(formOf(values), "numberOfStaffTrainedInSmartCare", content);
    expect(values).toMatchObject({
      backupPower: false,
      backupPowerWorking: false,
      smartCareFunctional: "yes",
      numberOfStaffTrainedInSmartCare: "7",
    });
    expect(values).toMatchObject({ primaryPower: null, primaryPowerWorking: null });
  });

  test("all confirmed at once, the visit says the same as the last one, except for its closing comments and its position", () => {
    const values = newForm([{ serviceAreaId: 3 }, { serviceAreaId: 9 }], last);
    const before = unconfirmedOf(values, last);
    expect([before.carried.length, before.offered.length]).toEqual([fields.length + 1, 10]);
    confirmAnswers(formOf(values), last);
    expect(unconfirmedOf(values, last)).toEqual({ carried: [], offered: [] });
    expect(contentOfForm(values)).toEqual({ ...content, closingComments: null, latitude: null, longitude: null });
  });

  test.each([
    ["power", ["primaryPower", "backupPower"]],
    ["smartCare", ["libraryVersion", "smartCareFunctional"]],
    ["contactA", ["contactAName"]],
    ["areas", ["serviceAreaAssessments.3.libraryVersion"]],
  ] as const)("of %s alone, the others are still open", (section, some) => {
    const values = newForm([{ serviceAreaId: 3 }], last);
    const openOf = () => Object.values(unconfirmedOf(values, last)).flat();
    const meant = openOf().filter((field) => sectionOf(field) === section);
    expect(meant).toEqual(expect.arrayContaining([...some]));
    const others = openOf().filter((field) => sectionOf(field) !== section);
    confirmAnswers(formOf(values), last, (field) => sectionOf(field) === section);
    expect(openOf()).toEqual(others);
  });

  test("nothing touched and nothing confirmed, every answer is unknown", () => {
    const said = contentOfForm(newForm(areas, last));
    for (const name of answerNames) expect([name, said[name]]).toEqual([name, null]);
    for (const area of said.serviceAreaAssessments) expect(area.smartCareFunctional).toBeNull();
  });

  test("what this visit has answered stays when the rest is confirmed", () => {
    const values = {
      ...newForm(areas, last),
      primaryPower: false,
      primaryPowerWorking: false,
      smartCareFunctional: "no" as const,
    };
    confirmAnswers(formOf(values), last);
    expect(contentOfForm(values)).toMatchObject({
      primaryPower: false,
      primaryPowerWorking: false,
      smartCareFunctional: false,
      backupPower: false,
    });
  });
});

test.each([
  ["contactAEmail", "contactAEmail"],
  ["serviceAreaAssessments.3.libraryVersion", "serviceAreaAssessments.1.libraryVersion"],
  ["serviceAreaAssessments.4.smartCareFunctional", "serviceAreaAssessments.0.smartCareFunctional"],
])("the field %s has the form name %s, and the form name leads back to the field", (field, name) => {
  const values = newForm(areas, null);
  expect([nameOf(values, field), fieldOf(values, name)]).toEqual([name, field]);
});

test("a field of an area that the form lacks has no form name", () => {
  expect(nameOf(newForm(areas, null), "serviceAreaAssessments.9.libraryVersion")).toBeUndefined();
});

test.each([
  [[], []],
  [fields, ["primary contact", "versions", "service areas"]],
  [
    ["contactBEmail", "contactAEmail"],
    ["primary contact", "secondary contact"],
  ],
])("the groups of the fields %j", (some, groups) => expect(groupsOf(some)).toEqual(groups));

test("the missing fields, and the progress of each section", () => {
  const values = {
    ...newForm(areas, last),
    primaryPower: true,
    dateOfLastUpgrade: "2025-11-01",
    latitude: -15,
    longitude: 28,
  };
  expect(missingOf(values)).toEqual(["functionalityStatusMode", "numberOfStaffTrainedInSmartCare"]);
  expect(progressOf(values)).toEqual({
    power: { answered: 1, unconfirmed: 0, missing: 0 },
    smartCare: { answered: 1, unconfirmed: 1, missing: 2 },
    areas: { answered: 0, unconfirmed: 3, missing: 0 },
    contacts: { answered: 0, unconfirmed: 2, missing: 0 },
    closing: { answered: 0, unconfirmed: 0, missing: 0 },
    review: { answered: 0, unconfirmed: 0, missing: 0 },
  });
});

/** What the ministry counts. */
const counted = [
  "smartCareFunctional",
  "primaryPower",
  "primaryPowerWorking",
  "backupPower",
  "backupPowerWorking",
] as const;
const allSaid = (said: boolean | null) => ({
  ...Object.fromEntries(counted.map((name) => [name, said])),
  serviceAreaAssessments: [{ serviceAreaId: 3, smartCareFunctional: said }],
});
const lastSaid = (said: boolean) => ({ ...last, content: contentOf(allSaid(said)) });

function answerAll(form: ReturnType<typeof formOf>, said: boolean): void {
  const word = said ? "yes" : "no";
  form.setValue("smartCareFunctional", word);
  form.setValue("serviceAreaAssessments.0.smartCareFunctional", word);
  // As the form does with what a person changes (formEvents.ts).
  confirm(form, (field) => field === "serviceAreaAssessments.3.smartCareFunctional");
  for (const power of ["primaryPower", "backupPower"] as const) {
    answerPower(form, power, said);
    form.setValue(`${power}Working`, said);
  }
}

/** A record as the store gives it back. */
function kept(status: KeptWork["status"], values: FormValues): FormValues {
  const work = { workId: "w", facilityUuid: "f", facilityName: "F", assessmentUuid: "a", isNew: true, base: null };
  const rest = { typed: null, reason: null, savedAt: null, keptAt: "" };
  return presentWork(structuredClone({ ...work, ...rest, values, status })).values;
}

describe.each([
  ["yes", true, null, (form: ReturnType<typeof formOf>) => answerAll(form, true)],
  ["no", false, null, (form: ReturnType<typeof formOf>) => answerAll(form, false)],
  ["no after a visit with yes", false, lastSaid(true), (form: ReturnType<typeof formOf>) => answerAll(form, false)],
  ["untouched", null, null, () => {}],
  ["carried as yes", null, lastSaid(true), () => {}],
  ["carried as no", null, lastSaid(false), () => {}],
  [
    "carried as yes and confirmed",
    true,
    lastSaid(true),
    (form: ReturnType<typeof formOf>) => confirmAnswers(form, lastSaid(true)),
  ],
  [
    "carried as no and confirmed",
    false,
    lastSaid(false),
    (form: ReturnType<typeof formOf>) => confirmAnswers(form, lastSaid(false)),
  ],
] as const)("each counted answer: %s is sent as %s", (_, said, lastVisit, act) => {
  test.each([
    ["the form", (values: FormValues) => values],
    ["a draft", (values: FormValues) => kept("draft", values)],
    ["the outbox", (values: FormValues) => kept("waiting", values)],
  ] as const)("by %s", (_way, through) => {
    const values = newForm([{ serviceAreaId: 3 }], lastVisit);
    act(formOf(values));
    expect(contentOfForm(through(values))).toMatchObject(allSaid(said));
  });
});
