import { getNamedType, type GraphQLInputType, isInputObjectType, isListType, isNonNullType } from "graphql";
import { sql } from "kysely";
import { v7 } from "uuid";

import { todayIn } from "../../gateway/calendar/fiscal.rules.ts";
import { lineForm, personForm, textForm } from "../../gateway/input/identity.rules.ts";
import { schema } from "../../gateway/schema.ts";
import { bodyOf, type TestGateway } from "../support/gateway.ts";
import { mutationInputs } from "../support/mutationInputs.ts";
import type { PathValues } from "../support/pathValues.ts";
import { type Errors, errorsIn, textsOfForms } from "./formTexts.ts";
import { chanceOf, randomText } from "./randomTexts.ts";

/** Sends texts of all kinds to every text that a mutation or a REST body takes. */

type Steps = (string | number)[];
const bare = (type: GraphQLInputType): GraphQLInputType => (isNonNullType(type) ? bare(type.ofType) : type);

/** Where a value of this type holds texts. Filters are those of the lists, which `readTexts` reads. */
function textsIn(given: GraphQLInputType, steps: Steps): Steps[] {
  const type = bare(given);
  if (isListType(type)) return textsIn(type.ofType, [...steps, 0]);
  if (isInputObjectType(type))
    return Object.values(type.getFields()).flatMap((field) =>
      field.name === "filter" ? [] : textsIn(field.type, [...steps, field.name]),
    );
  return ["String", "ID"].includes(getNamedType(type).name) ? [steps] : [];
}
function textsOf(value: unknown, steps: Steps): Steps[] {
  if (typeof value === "string") return [steps];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    textsOf(each, [...steps, Array.isArray(value) ? Number(key) : key]),
  );
}
/** The value with a text at this place; what is missing on the way there is made. */
function withText(value: unknown, [step, ...rest]: Steps, text: string): unknown {
  if (step === undefined) return text;
  if (typeof step === "number") return [withText((value as unknown[] | undefined)?.[step], rest, text)];
  const held = value as Record<string, unknown> | undefined;
  return { ...held, [step]: withText(held?.[step], rest, text) };
}

/** The texts of mutations that need no file: where each one is, and how to send it. */
function textsOfMutations(gateway: TestGateway) {
  const inputs = mutationInputs(todayIn("Africa/Lusaka"));
  return Object.values(schema.getMutationType()!.getFields()).flatMap(({ name, args: [argument] }) =>
    argument && name in inputs
      ? textsIn(argument.type, []).map((steps) => ({
          at: [name, ...steps].filter((step) => step !== 0).join("."),
          send: async (text: string): Promise<Errors> => {
            const admin = await gateway.as("admin");
            const answer = await admin.call("POST", "/graphql", {
              query: `mutation ($given: ${argument.type.toString()}) { done: ${name}(${argument.name}: $given) { errors { code path message } } }`,
              variables: { given: withText(inputs[name], steps, text) },
            });
            const { data, errors } = bodyOf<{ data?: { done: { errors: Errors } }; errors?: { extensions: object }[] }>(
              answer,
            );
            const codes = JSON.stringify(errors?.map(({ extensions }) => extensions));
            // A value that a scalar refuses is a wrong variable, whose message names it.
            if (!data?.done && !codes?.includes("BAD_VARIABLE")) throw new Error(`${answer.status} ${codes}`);
            return data?.done.errors ?? [];
          },
        }))
      : [],
  );
}

/**
 * Sends random texts to each text of a mutation or REST body, in an input about nothing.
 *
 * @returns what failed, or was refused without its code, its message or the path of the wrong value
 */
export async function sendTexts(
  gateway: TestGateway,
  { filled }: PathValues,
  count: number,
  seed: number,
): Promise<string[]> {
  const chance = chanceOf(seed);
  const admin = await gateway.as("admin");
  type Call = { requestBody?: { content: Record<string, { example?: object }> } };
  const { paths } = bodyOf<{ paths: Record<string, Record<string, Call>> }>(await admin.get("/api/v1/openapi.json"));
  const calls = Object.entries(paths)
    // A site's own calls, and signing in, are not for a person who is signed in.
    .filter(([path]) => !/\/site\/me|\/auth$/.test(path))
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const example = requestBody?.content["application/json"]?.example;
        return textsOf(example, []).map((steps) => ({
          at: `${method} ${path} ${steps.join(".")}`,
          send: async (text: string): Promise<Errors> => {
            return errorsIn(await admin.call(method.toUpperCase(), filled(path), withText(example, steps, text)));
          },
        }));
      }),
    );
  const all = [...textsOfMutations(gateway), ...calls, ...(await textsOfForms(gateway))];
  const wrong: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { at, send } = all[index % all.length]!;
    const text = randomText(chance);
    const said = await send(text).catch((error: Error) => [{ code: "", path: "", message: error.message }]);
    for (const { code, path, message } of said)
      if (!code || !message || (code === "INVALID" && !path))
        wrong.push(`${at} ${JSON.stringify(text.slice(0, 100))}: ${code} ${path} ${message}`);
  }
  return [...new Set(wrong)];
}

type Stored = { form: (text: string) => string; column: string; input: (text: string) => object };

/** Texts that `storeTexts` stores and reads again, or whose rule is that of one of them or of these below. */
const storedElsewhere =
  /^(updateAssessment|createAssessment|updateUser|createUser|updateAction|changeFieldList|updateSavedQuery|createSavedQuery|updateServiceAccount|updateFacilityConnectivity|changeRegistryPlace|updateFacilityIdentifiers|noteWorklistEntry|setAssessmentAside|changeFacility|addFacility)\./;
/** Texts that are looked up or have a form of their own, and those that are secret. */
const notStored =
  /(^|\.)(uuid|\w+Uuid|\w+Uuids|id|login|code|password|\w+Password|owner|system|pattern|into|fieldList|facilities|search|address|version|appliesFrom|appliesTo|closedOn|from|until|encoding|field|questions)$|^\w+$|^readRegistryImport\.|^updateFacilitySettings\./;

/** Stores random texts by the mutations that `storeTexts` does not send; each is stored in its form, or refused. */
export async function storeOtherTexts(gateway: TestGateway, count: number, seed: number): Promise<string[]> {
  const chance = chanceOf(seed);
  const admin = await gateway.as("admin");
  const today = todayIn("Africa/Lusaka");
  const { rows } = await sql<{ facilityUuid: string; downloadUuid: string; year: number }>`
    select facility_uuid, (select download_uuid from download limit 1), extract(year from now())::int as year
    from facility where closed_on is null order by facility_uuid limit 1`.execute(gateway.db);
  const { facilityUuid, downloadUuid, year } = rows[0]!;
  const act = async (name: string, given: object): Promise<{ errors: Errors; uuid?: string }> => {
    const type = schema.getMutationType()!.getFields()[name]!.args[0]!.type.toString();
    const { data } = await admin.graphql<{ done: { errors: Errors } }>(
      `mutation ($input: ${type}) { done: ${name}(input: $input) { errors { code path message } } }`,
      { input: given },
    );
    return data.done;
  };
  const account = await admin.graphql<{ done: { serviceAccount: { uuid: string } } }>(
    'mutation { done: createServiceAccount(input: { name: "Every text", owner: "admin", privileges: [] }) { serviceAccount { uuid } } }',
    {},
  );
  const action = { text: "Mend it", responsible: "Nurse", dueDay: today, facilityUuid };
  const sites = { facilityUuids: [facilityUuid] };
  const [{ facilityUuid: stopped }] = bodyOf<[{ facilityUuid: string }]>(
    await admin.get("/api/v1/worklist/stopped?limit=1"),
  );
  let closing = "";
  const texts: Record<string, Stored> = {
    "createAccessToken.name": {
      form: lineForm,
      column: "access_token.name",
      input: (name) => ({ name, expiryDate: today, privileges: [] }),
    },
    "createServiceAccountToken.name": {
      form: lineForm,
      column: "access_token.name",
      input: (name) => ({ uuid: account.data.done.serviceAccount.uuid, name, expiryDate: today }),
    },
    "createLedgerFeed.name": { form: lineForm, column: "access_token.name", input: (name) => ({ name }) },
    "createSavedView.name": {
      form: lineForm,
      column: "saved_view.name",
      input: (name) => ({ name, address: "/facilities" }),
    },
    "createFieldList.name": { form: lineForm, column: "field_list.name", input: (name) => ({ name }) },
    "createServiceAccount.name": {
      form: lineForm,
      column: "app_user.user_name",
      input: (name) => ({ name, owner: "admin", privileges: [] }),
    },
    "saveReport.comment": {
      form: textForm,
      column: "report.comment",
      input: (comment) => ({ year: year - 1, quarter: 1, comment }),
    },
    "createAction.text": {
      form: textForm,
      column: "action.text",
      input: (text) => ({ ...action, actionUuid: v7(), text }),
    },
    "createAction.responsible": {
      form: lineForm,
      column: "action.responsible",
      input: (responsible) => ({ ...action, actionUuid: v7(), responsible }),
    },
    "closeAction.reason": {
      form: textForm,
      column: "action.reason",
      input: (reason) => ({ actionUuid: closing, version: 1, state: "DROPPED", reason }),
    },
    "assignSites.text": {
      form: textForm,
      column: "action.text",
      input: (text) => ({ bulkActUuid: v7(), sites, text, responsible: "Nurse", dueDay: today }),
    },
    "assignSites.responsible": {
      form: lineForm,
      column: "action.responsible",
      input: (responsible) => ({ bulkActUuid: v7(), sites, text: "Mend it", responsible, dueDay: today }),
    },
    "noteSites.comment": {
      form: textForm,
      column: "worklist_note.comment",
      input: (comment) => ({ bulkActUuid: v7(), sites: { facilityUuids: [stopped] }, comment }),
    },
    "closeFacility.reason": {
      form: textForm,
      column: "facility.close_reason",
      input: (reason) => ({ facilityUuid, closedOn: today, reason }),
    },
    "reportUpdate.why": {
      form: textForm,
      column: "update_report.why",
      input: (why) => ({ facilityUuid, downloadUuid, outcome: "FAILED", why }),
    },
    "saveIdentifierSystem.name": {
      form: personForm,
      column: "identifier_system.name",
      input: (name) => ({ system: "texts", name, isUnique: false }),
    },
    "addRegistryPlace.name": {
      form: personForm,
      column: "district.name",
      input: (name) => ({ kind: "district", provinceId: 1, name }),
    },
  };
  /** Of the same rules, or in the tests of the noun. */
  const alike =
    /^(editReport|signReport)\.comment$|^(restoreAssessment|setTdbAside|restoreTdb)\.reason$|^splitRegistryPlace\.name$|^decideReconciliationFindings\.note$|^createRollout\.version$/;
  const wrong = textsOfMutations(gateway)
    .map(({ at }) => at)
    .filter((at) => !(at in texts) && ![storedElsewhere, notStored, alike].some((known) => known.test(at)))
    .map((at) => `${at} is stored by no test`);
  const stored = Object.entries(texts);
  let taken = 0;
  for (let index = 0; index < count; index += 1) {
    const [at, { form, column, input }] = stored[index % stored.length]!;
    const [name, field] = at.split(".") as [string, string];
    const [table, held] = column.split(".") as [string, string];
    const text = randomText(chance);
    if (name === "closeAction") {
      closing = v7();
      await act("createAction", { ...action, actionUuid: closing });
    }
    if (name === "reportUpdate")
      await act("setDownloadRelease", { id: downloadUuid, version: "99.0", installs: ["LIBRARY"] });
    const { errors } = await act(name, input(text));
    const about = `${at} ${JSON.stringify(text.slice(0, 200))}:`;
    if (errors.length > 0) {
      for (const { code, path, message } of errors)
        if (code !== "INVALID" || path !== field) wrong.push(`${about} ${code} ${path} ${message}`);
      continue;
    }
    taken += 1;
    const { rows: found } = await sql`
      select from ${sql.table(table)} where coalesce(${sql.ref(held)}, '') = ${form(text)} limit 1`.execute(gateway.db);
    if (found.length === 0) wrong.push(`${about} is not stored in its form`);
    if (name === "closeFacility") await admin.call("POST", `/api/v1/facility/${facilityUuid}/reopen`);
  }
  return taken < count / 5 ? [...wrong, `only ${taken} texts were taken`] : wrong;
}
