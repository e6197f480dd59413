import { readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

import { buildSchema, type GraphQLSchema, isEnumType, Kind, parse, type TypeNode } from "graphql";

import { readQuestions } from "../../client/explorer/examples.ts";
import { questionIn, queryOf } from "../../client/query/question.ts";
import { usualQuestions } from "../../client/query/usualQuestions.ts";
import { longRestOn, usualShares } from "../../gateway/reading/shares.rules.ts";
import type { Request } from "./connection.ts";
import { atMost, type Goal } from "./goals.ts";
import type { Place } from "./place.ts";
import { startProduct } from "./product.ts";
import type { Samples } from "./samples.ts";
import { table } from "./table.ts";

/**
 * Every call that reads, one at a time, by a gateway that keeps no answers: the client's operations, the questions of
 * `docs/questions.md` and of the builder, and the REST calls. For `docs/capacity.md`.
 */

type Read = { kind: string; name: string; request: Request };
type Measured = Read & { ms: number; bytes: number; failed: string | null };

/** In milliseconds; what takes longer is named in `docs/capacity.md`. */
const usual = 50;
const repeats = 3;
/** In milliseconds; a call that takes longer is asked once. */
const long = 1000;
/** In milliseconds; a call that takes longer is reported as one that was not answered. */
const longest = 60_000;
const nobody = "00000000-0000-7000-8000-000000000000";

const graphqlRead = (kind: string, name: string, query: string, variables: object): Read => ({
  ...{ kind, name },
  request: { method: "POST", path: "/graphql", body: JSON.stringify({ query, variables }) },
});

/** Values of variables and parameters by their names. Others are those of their type. */
const valuesOf = ({ facilityUuids, texts, year, ...places }: Samples): Record<string, unknown> => ({
  ...places,
  ...{ facilityUuid: facilityUuids[0], text: texts[0], search: texts[0], years: 2, year, quarter: 2 },
  ...{ namedProvince: places.provinceId, namedDistrict: places.districtId, namedPartner: places.implementingPartnerId },
  ...{ start: `${year - 1}-10-01`, end: `${year}-09-30`, createdAt: `${year}-09-01T08:00`, number: 1, first: 50 },
  ...{ uuid: nobody, userUuid: nobody, assessmentUuid: nobody, rolloutUuid: nobody, downloadUuid: nobody },
});

const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));

/** Variables with which an operation asks for all that it can, of the whole country where it may. */
function variablesFor(schema: GraphQLSchema, query: string, values: Record<string, unknown>): object {
  const [operation] = parse(query).definitions.flatMap((one) => (one.kind === Kind.OPERATION_DEFINITION ? [one] : []));
  const given = (operation?.variableDefinitions ?? []).flatMap(({ variable: { name }, type }) => {
    if (type.kind !== Kind.NON_NULL_TYPE && !name.value.startsWith("named")) return [];
    const named = schema.getType(nameOf(type));
    const first = isEnumType(named) ? named.getValues()[0]!.name : named?.name === "Boolean" ? true : 1;
    return [[name.value, values[name.value] ?? first] as const];
  });
  return Object.fromEntries(given);
}

async function graphqlReads(samples: Samples): Promise<Read[]> {
  const schema = buildSchema(await readFile("schema.graphql", "utf8"));
  const values = valuesOf(samples);
  const documents = JSON.parse(await readFile("client/gql/persisted-documents.json", "utf8")) as Record<string, string>;
  const screens = Object.values(documents).flatMap((query) => {
    const name = /(?:^|\s)query (\w+)/.exec(query)?.[1];
    return name === undefined ? [] : [graphqlRead("screen", name, query, variablesFor(schema, query, values))];
  });
  const guide = readQuestions(await readFile("docs/questions.md", "utf8"));
  const built = Object.values(usualQuestions).flat();
  return [
    ...screens,
    ...guide.map(({ name, query, variables }) => graphqlRead("question", name, query, variables)),
    ...built.map((address) =>
      graphqlRead("builder", address, queryOf(questionIn(new URLSearchParams(address)), true), {}),
    ),
  ];
}

type Parameter = { in: string; name: string; required?: boolean; example?: unknown };
type Paths = Record<string, { get?: { parameters?: Parameter[] } }>;

/** All REST calls that read, but the feed's own records, files and uploads, which have no usual size. */
async function restReads(samples: Samples): Promise<Read[]> {
  const { paths } = JSON.parse(await readFile("gateway/openapi.json", "utf8")) as { paths: Paths };
  const values = valuesOf(samples);
  return Object.entries(paths).flatMap(([path, { get }]) => {
    if (!get || /\/(file|resumable|logout|auth)\b|secret/.test(path)) return [];
    const text = ({ name, example }: Parameter) => String(values[name] ?? example);
    const parameters = get.parameters ?? [];
    const wanted = parameters.filter((one) => one.in === "query" && one.required);
    const filled = parameters
      .filter((one) => one.in === "path")
      .reduce((now, one) => now.replace(`{${one.name}}`, encodeURIComponent(text(one))), path);
    const query = new URLSearchParams(wanted.map((one) => [one.name, text(one)])).toString();
    return [{ kind: "REST", name: path, request: { method: "GET", path: query ? `${filled}?${query}` : filled } }];
  });
}

const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Asks once. `failed`: another status than 200, errors of GraphQL, or no answer. */
async function ask(port: number, { method, path, headers, body }: Request) {
  const begun = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      ...{ method, body, signal: AbortSignal.timeout(longest) },
      headers: { ...headers, "accept-encoding": "identity", ...(body ? { "content-type": "application/json" } : {}) },
    });
    const text = await answer.text();
    const isRight = answer.status === 200 && !text.slice(0, 2000).includes('"errors":[{');
    const failed = isRight ? null : `${answer.status} ${text.slice(0, 120)}`;
    const ms = performance.now() - begun;
    // With two processors a person's next heavy question waits (reading/shares.rules.ts). That is not its own time.
    await pause(Math.min(longRestOn(1) * ms, usualShares.mostRestMs));
    return { ms, bytes: text.length, failed };
  } catch (error) {
    return { ms: performance.now() - begun, bytes: 0, failed: String(error) };
  }
}

/** Asks each of them in turn, each a few times after one that is not counted, long ones once. */
export async function askEveryRead(place: Place, samples: Samples): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place, { keeps: false });
  const measured: Measured[] = [];
  try {
    for (const read of [...(await graphqlReads(samples)), ...(await restReads(samples))]) {
      const request = product.asToken(read.request);
      const first = await ask(product.port, request);
      const answers = [];
      if (first.failed === null && first.ms < long)
        for (let index = 0; index < repeats; index += 1) answers.push(await ask(product.port, request));
      measured.push({ ...read, ...first, ms: median((answers.length > 0 ? answers : [first]).map(({ ms }) => ms)) });
    }
  } finally {
    await product.stop();
  }
  const answered = measured.filter(({ failed }) => failed === null);
  const over = answered.filter(({ ms }) => ms > usual);
  const rows = answered.toSorted((a, b) => b.ms - a.ms);
  const others = measured.filter(({ failed }) => failed !== null);
  return {
    goals: [atMost(`calls that read and take over ${usual} ms, of ${answered.length}`, over.length, 0)],
    text: [
      "Every call that reads, alone, without kept answers (--questions everyRead)",
      table(
        ["", "call", "ms", "kB"],
        rows.map(({ kind, name, ms, bytes }) => [kind, name, ms, bytes / 1000]),
      ),
      `Not answered with 200, because the records that they ask for are not there:`,
      ...others.map(({ kind, name, failed }) => `${kind}  ${name}  ${failed}`),
    ].join("\n"),
  };
}
