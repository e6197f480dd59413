import { getNamedType, type GraphQLInputType, isEnumType, isInputObjectType, isNonNullType } from "graphql";
import { sql } from "kysely";

import { codeForm, lineForm, personForm, phoneForm, textForm } from "../../gateway/input/identity.rules.ts";
import { schema } from "../../gateway/schema.ts";
import { sampleFacility, visit } from "../support/assessment-data.ts";
import { type Answer, bodyOf, errorsOf, type TestGateway } from "../support/gateway.ts";
import { agreeAction, changedBy } from "../support/mutations.ts";
import type { PathValues } from "../support/pathValues.ts";
import { settled } from "../support/settled.ts";
import { chanceOf, randomText } from "./randomTexts.ts";

/** Sends texts of all kinds to both interfaces. */

type Outcome = { status: number; paths: string[] };
type Field = {
  name: string;
  form: (text: string) => string;
  send: (text: string) => Promise<Outcome>;
  /** what is stored now, as each interface answers it */
  read: () => Promise<unknown[]>;
};
type Errors = { path: string; message: string }[];

const outcomeOf = (answer: Answer): Outcome => ({
  status: answer.status,
  paths: answer.status === 200 ? [] : errorsOf(answer).map(({ path }) => path),
});

/** The fields whose texts are stored, each in an otherwise valid input. */
async function storedFields(gateway: TestGateway): Promise<Field[]> {
  const admin = await gateway.as("admin");
  const facility = await sampleFacility(gateway.db);
  const { facilityUuid } = facility;
  const mutation =
    (name: string, input: (text: string) => object | Promise<object>) =>
    async (text: string): Promise<Outcome> => {
      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`;
      const answer = await admin.call("POST", "/graphql", {
        query: `mutation ($input: ${type}!) { done: ${name}(input: $input) { errors { path message } } }`,
        variables: { input: await input(text) },
      });
      const { data, errors } = bodyOf<{
        data?: { done: { errors: Errors } };
        errors?: { message: string; extensions?: { code?: string } }[];
      }>(answer);
      if (!data?.done) throw new Error(`${name}: ${JSON.stringify(errors)}`);
      return { status: data.done.errors.length > 0 ? 422 : 200, paths: data.done.errors.map(({ path }) => path) };
    };
  const asked = async (query: string, ...path: string[]): Promise<unknown> =>
    path.reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)[name],
      (await admin.graphql<object>(query)).data,
    );
  const rest = async (path: string, name: string): Promise<unknown> =>
    bodyOf<Record<string, unknown>>(await admin.get(`/api/v1${path}`))[name];
  const patch = async (path: string, body: object): Promise<Outcome> =>
    outcomeOf(await admin.call("PATCH", `/api/v1${path}`, body));

  const { assessmentUuid } = bodyOf<{ assessmentUuid: string }>(
    await admin.call("POST", "/api/v1/assessment", visit(facility)),
  );
  const visitPath = `/assessment/${assessmentUuid}`;
  const visits = (
    [
      ...["primaryPowerNotes", "backupPowerNotes", "otherIssues", "closingComments"].map((name) => [name, textForm]),
      ...["contactAName", "contactARole", "contactAEmail", "contactBName", "contactBRole", "contactBEmail"].map(
        (name) => [name, personForm],
      ),
      ...["libraryVersion", "databaseVersion"].map((name) => [name, textForm]),
      ...["contactAPrimaryPhone", "contactASecondaryPhone"].map((name) => [name, phoneForm]),
    ] as [string, Field["form"]][]
  ).map(([name, form]): Field => ({
    name,
    form,
    send: async (text) =>
      patch("/assessment", { assessmentUuid, version: await rest(visitPath, "version"), [name]: text }),
    read: async () => [
      await rest(visitPath, name),
      await asked(`{ assessment(assessmentUuid: "${assessmentUuid}") { ${name} } }`, "assessment", name),
    ],
  }));

  const { uuid } = bodyOf<{ uuid: string }>(await admin.get("/api/v1/user/me"));
  const people = (
    [
      ["bio", textForm],
      ["firstName", personForm],
      ["middleName", personForm],
      ["surname", personForm],
      ["secondaryEmail", personForm],
      ["secondaryPhoneNumber", phoneForm],
    ] as [string, Field["form"]][]
  ).map(([name, form]): Field => ({
    name,
    form,
    send: (text) => patch("/user", { uuid, [name]: text }),
    read: async () => [await rest(`/user/${uuid}`, name)],
  }));

  const action = await changedBy(agreeAction(admin, { facilityUuid }));
  const actionOf = async (): Promise<Record<string, unknown>> =>
    bodyOf<Record<string, unknown>>(await admin.get(`/api/v1/action/${action.actionUuid}`));
  const actions = ["text", "responsible"].map((name): Field => ({
    name,
    form: name === "text" ? textForm : lineForm,
    send: mutation("updateAction", async (text) => {
      const { version, dueDay } = await actionOf();
      const input = { text: "Mend it", responsible: "Nurse", [name]: text };
      return { actionUuid: action.actionUuid, version, dueDay, ...input };
    }),
    read: async () => [(await actionOf())[name]],
  }));

  const made = async (query: string): Promise<string> =>
    (await asked(`mutation { ${query} }`, "done", "made", "uuid")) as string;
  const list = await made('done: createFieldList(input: { name: "Texts" }) { made: fieldList { uuid } }');
  const question = await made(
    'done: createSavedQuery(input: { name: "Texts", query: "{ provinces { totalCount } }" }) { made: savedQuery { uuid } }',
  );
  const [{ facilityUuid: stoppedUuid }] = bodyOf<[{ facilityUuid: string }]>(
    await admin.get("/api/v1/worklist/stopped?limit=1"),
  );
  const account = await made(
    'done: createServiceAccount(input: { name: "Texts", owner: "admin", privileges: [viewAssessments] }) { made: serviceAccount { uuid } }',
  );
  const kinds = ["facilityType", "facilityOwner", "healthCenterType", "laboratoryLevel"].map((name): Field => ({
    name,
    form: lineForm,
    send: (text) => patch(`/facility/${facilityUuid}`, { [name]: text }),
    read: async () => [await rest(`/facilityMetadata/${facilityUuid}`, name)],
  }));
  const stored = async (table: string, column: string, key: string, value: string): Promise<unknown[]> => {
    const rows = await gateway.sql<{ text: unknown }>`
      select ${sql.ref(column)} as text from ${sql.table(table)} where ${sql.ref(key)}::text = ${value}`;
    return rows.map(({ text }) => text);
  };
  return [
    ...visits,
    ...people,
    ...actions,
    ...kinds,
    {
      name: "name",
      form: lineForm,
      send: mutation("updateServiceAccount", (name) => ({ uuid: account, name })),
      read: () => stored("app_user", "user_name", "user_uuid", account),
    },
    {
      name: "details",
      form: textForm,
      send: async (details) => {
        const input = { facilityUuid, present: true, type: 1, details, mobileCoverage: false, mobileProvider: null };
        return outcomeOf(await admin.call("PUT", "/api/v1/facilityConnectivity", input));
      },
      read: async () => [await rest(`/facilityConnectivity/${facilityUuid}`, "details")],
    },
    {
      name: "facilityName",
      form: personForm,
      send: (facilityName) => patch(`/facility/${facilityUuid}`, { facilityName }),
      read: async () => [
        await rest(`/facilityMetadata/${facilityUuid}`, "facilityName"),
        await asked(`{ facility(facilityUuid: "${facilityUuid}") { facilityName } }`, "facility", "facilityName"),
      ],
    },
    {
      name: "hmisCode",
      form: codeForm,
      send: (hmisCode) => patch(`/facility/${facilityUuid}`, { hmisCode }),
      read: async () => [await rest(`/facilityMetadata/${facilityUuid}`, "hmisCode")],
    },
    {
      name: "name",
      form: lineForm,
      send: mutation("changeFieldList", (name) => ({ uuid: list, name })),
      read: () => stored("field_list", "name", "field_list_uuid", list),
    },
    ...["name", "description"].map((name): Field => ({
      name,
      form: name === "name" ? lineForm : textForm,
      send: mutation("updateSavedQuery", (text) => ({ uuid: question, [name]: text })),
      read: () => stored("saved_query", name, "query_uuid", question),
    })),
    {
      name: "reason",
      form: textForm,
      send: mutation("setAssessmentAside", (reason) => ({ assessmentUuid, reason })),
      read: async () => {
        const said = (await rest(visitPath, "setAside")) as { reason: string };
        await asked(
          `mutation { restoreAssessment(input: { assessmentUuid: "${assessmentUuid}", reason: "Again" }) { errors { path } } }`,
        );
        return [said.reason];
      },
    },
    {
      name: "name",
      form: personForm,
      send: mutation("changeRegistryPlace", (name) => ({ kind: "district", placeId: 1, name })),
      read: () => stored("district", "name", "district_id", "1"),
    },
    {
      name: "value",
      form: codeForm,
      send: mutation("updateFacilityIdentifiers", (value) => ({
        facilityUuid,
        identifiers: [{ system: "dhis2", value }],
      })),
      read: async () => {
        const all = (await rest(`/facilityMetadata/${facilityUuid}`, "identifiers")) as {
          system: string;
          value: string;
        }[];
        return all.filter(({ system }) => system === "dhis2").map(({ value }) => value);
      },
    },
    {
      name: "comment",
      form: textForm,
      send: mutation("noteWorklistEntry", (comment) => ({ facilityUuid: stoppedUuid, kind: "STOPPED", comment })),
      read: async () => {
        const rows = await gateway.sql<{ comment: string }>`
          select comment from worklist_note order by written_at desc limit 1`;
        return rows.map(({ comment }) => comment);
      },
    },
  ];
}

/**
 * Stores random texts: each is refused with the name of its field, or is answered in its form afterwards.
 *
 * @returns what went wrong
 */
export async function storeTexts(gateway: TestGateway, count: number, seed: number): Promise<string[]> {
  const chance = chanceOf(seed);
  const fields = await storedFields(gateway);
  const wrong: string[] = [];
  let taken = 0;
  for (let index = 0; index < count; index += 1) {
    const { name, form, send, read } = fields[index % fields.length]!;
    const text = randomText(chance);
    const { status, paths } = await send(text);
    const about = `${name} ${JSON.stringify(text.slice(0, 200))}: ${status}`;
    if (status !== 200) {
      if (status >= 500 || !paths.some((path) => path.split(".").includes(name)))
        wrong.push(`${about} ${paths.join(", ")}`);
      continue;
    }
    taken += 1;
    for (const value of await read())
      if ((value ?? "") !== form(text)) wrong.push(`${about} ${JSON.stringify(value)?.slice(0, 200)}`);
  }
  const { facilityUuid } = await sampleFacility(gateway.db);
  const admin = await gateway.as("admin");
  const { facilityName } = bodyOf<{ facilityName: string }>(
    await admin.get(`/api/v1/facilityMetadata/${facilityUuid}`),
  );
  const csv = (await admin.get(`/api/v1/facility/csv?facilityUuid=${facilityUuid}`)).text;
  if (!csv.includes(facilityName.replaceAll('"', '""')))
    wrong.push(`${JSON.stringify(facilityName)} is not in the CSV`);
  await settled(gateway.db);
  const feed = (await admin.get("/api/v1/changes?kinds=facility&limit=1000")).text;
  if (!feed.includes(JSON.stringify(facilityName))) wrong.push(`${JSON.stringify(facilityName)} is not in the feed`);
  return taken < count / 5 ? [...wrong, `only ${taken} texts were taken`] : wrong;
}

type Parameter = { name: string; in: string; schema: { type?: string | string[]; enum?: unknown; anyOf?: unknown } };

/**
 * Reads with random texts as parameters of addresses and arguments: each is answered or refused.
 *
 * @returns what went wrong
 */
export async function readTexts(
  gateway: TestGateway,
  { facilityUuid, filled }: PathValues,
  count: number,
  seed: number,
): Promise<string[]> {
  const chance = chanceOf(seed);
  const admin = await gateway.as("admin");
  const { paths } = bodyOf<{ paths: Record<string, { get?: { parameters?: Parameter[] } }> }>(
    await admin.get("/api/v1/openapi.json"),
  );
  const wrong: string[] = [];
  const calls = Object.entries(paths)
    .filter(([path]) => !/docs|openapi|content|file|stream/.test(path))
    .flatMap(([path, { get }]) =>
      (get?.parameters ?? [])
        .filter(({ in: place }) => place === "path" || place === "query")
        .map((parameter) => async (text: string) => {
          const value = encodeURIComponent(text.slice(0, 1500).replaceAll(/\p{Cs}/gu, ""));
          if (parameter.in === "path" && /^\.{0,2}$/.test(value)) return;
          const address =
            parameter.in === "path"
              ? filled(path, { [parameter.name]: value })
              : `${filled(path)}?${parameter.name}=${value}`;
          const { status } = await admin.get(address);
          if (status >= 500) wrong.push(`${status} ${address.slice(0, 300)}`);
        }),
    );
  const valueOf = (type: GraphQLInputType): unknown => {
    const named = getNamedType(type);
    if (isEnumType(named)) return named.getValues()[0]!.name;
    return (
      ({ Int: 1, Float: 1, Boolean: true, Date: "2026-01-01" } as Record<string, unknown>)[named.name] ?? facilityUuid
    );
  };
  const questions = Object.values(schema.getQueryType()!.getFields()).flatMap(({ name, args, type }) =>
    args
      .filter(({ type: given }) => ["String", "ID"].includes(getNamedType(given).name))
      .map((argument) => async (text: string) => {
        const others = args.filter((each) => each !== argument && isNonNullType(each.type));
        const given = [argument, ...others].filter((each) => !isInputObjectType(getNamedType(each.type)));
        const isList = argument.type.toString().startsWith("[");
        const variables = Object.fromEntries([
          ...others.map((each) => [
            each.name,
            each.type.toString().startsWith("[") ? [valueOf(each.type)] : valueOf(each.type),
          ]),
          [argument.name, isList ? [text] : text],
        ]);
        const isObject = "getFields" in getNamedType(type) || "getTypes" in getNamedType(type);
        const answer = await admin.call("POST", "/graphql", {
          query: `query (${given.map((each) => `$${each.name}: ${each.type.toString()}`).join(", ")}) { ${name}(${given
            .map((each) => `${each.name}: $${each.name}`)
            .join(", ")}) ${isObject ? "{ __typename }" : ""} }`,
          variables,
        });
        if (answer.status >= 500 || answer.text.includes("INTERNAL"))
          wrong.push(
            `${answer.status} ${name}.${argument.name} ${JSON.stringify(text.slice(0, 200))} ${answer.text.slice(0, 200)}`,
          );
      }),
  );
  const all = [...calls, ...questions];
  for (let index = 0; index < count; index += 1) await all[index % all.length]!(randomText(chance));
  return wrong;
}
