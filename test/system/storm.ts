import { createHash, randomBytes, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { setTimeout } from "node:timers/promises";

import { rebuildRollups } from "../../db/derived/recount.ts";
import type { Database } from "../../db/engine/connect.ts";
import { type SampleFacility, visit } from "../support/assessment-data.ts";
import { type Answer, bodyOf, type Person, stranger } from "../support/gateway.ts";
import { cookiesOf, formOf, sendForm, tdbxOf, tusOf } from "../support/tdbx.ts";

/**
 * Simulated people who save, change, send files, sign in and out through a load balancer without sticky sessions, and
 * read back what was confirmed.
 */

export type Storm = {
  /** Calls that were made, those without an answer (which were repeated), and what was done. */
  counts: Record<
    | "requests"
    | "unanswered"
    | "created"
    | "changed"
    | "settings"
    | "forms"
    | "resumable"
    | "signIns"
    | "signOuts"
    | "readBack",
    number
  >;
  /** Answers that nobody should get, with the request and its id. */
  failures: string[];
  /** Lets everybody work until `isOver` returns true. */
  run: (isOver: () => boolean) => Promise<void>;
  /** Lists what was confirmed and is not in the database, and figures that differ from a recount. */
  listLost: () => Promise<string[]>;
  /** How many confirmed results `listLost` checks. */
  countPromised: () => number;
};

/** How often a call without an answer is repeated. */
const mostTries = 3000;
type Receipt = { uuid: string; sha256: string; accepted: boolean };
class Unexpected extends Error {}

/**
 * @param gateway returns the address for the next call, as a load balancer chooses it
 * @param facilities eight. Each belongs to one worker, so its last confirmed values must be in the database
 */
export async function startStorm({
  db,
  gateway,
  facilities,
}: {
  db: Database;
  gateway: () => string;
  facilities: SampleFacility[];
}): Promise<Storm> {
  const counts: Storm["counts"] = {
    requests: 0,
    unanswered: 0,
    created: 0,
    changed: 0,
    settings: 0,
    forms: 0,
    resumable: 0,
    signIns: 0,
    signOuts: 0,
    readBack: 0,
  };
  const failures: string[] = [];
  const saved = new Map<string, { version: number; staff: number }>();
  const stored = new Map<string, string>();
  const connected = new Map<string, string>();
  const signedIn: Person[] = [];
  const signedOut: Person[] = [];
  let addresses = 0;

  /** Repeats a call until it is answered, as a client behind a load balancer does. */
  async function answered<Result extends { status: number }>(
    call: (url: string) => Promise<Result>,
  ): Promise<{ answer: Result; lost: number }> {
    for (let lost = 0; lost < mostTries; lost += 1) {
      counts.requests += 1;
      try {
        const answer = await call(gateway());
        // A gateway that is shutting down may lose its connections to the database first (503). A proxy answers 502 for
        // one that was killed.
        if (answer.status !== 503 && answer.status !== 502) return { answer, lost };
      } catch {
        // The gateway was killed before it answered, or has not started yet.
      }
      counts.unanswered += 1;
      await setTimeout(10);
    }
    throw new Unexpected("Nobody answered");
  }
  function must(
    isRight: boolean,
    what: string,
    { status, text = "", headers }: { status: number; text?: string; headers?: Headers },
  ): void {
    const request = headers?.get("x-request-id") ?? /urn:request:([\w-]+)/.exec(text)?.[1];
    if (!isRight)
      throw new Unexpected(`${what}: ${status} ${text.slice(0, 300)}${request ? ` (request ${request})` : ""}`);
  }
  const get = async (person: Person, path: string): Promise<Answer> => (await answered(() => person.get(path))).answer;

  async function signIn(login: string): Promise<Person> {
    for (;;) {
      addresses += 1;
      const from = { "x-forwarded-for": `10.${Math.floor(addresses / 250)}.9.${addresses % 250}` };
      const person = stranger(gateway);
      const { answer } = await answered(() =>
        person.call("POST", "/api/v1/auth", { login, password: "demo-password" }, from),
      );
      must(answer.status === 200, `sign in as ${login}`, answer);
      counts.signIns += 1;
      if (person.cookies.has("session")) return person;
    }
  }

  async function create(person: Person, facility: SampleFacility): Promise<void> {
    const body = visit(facility, { assessmentUuid: randomUUID(), numberOfStaffTrainedInSmartCare: 1 });
    const { answer } = await answered(() => person.call("POST", "/api/v1/assessment", body));
    must(answer.status === 200, "save a visit", answer);
    saved.set(body.assessmentUuid, { version: 1, staff: 1 });
    counts.created += 1;
    await change(person, body.assessmentUuid);
  }

  async function change(person: Person, assessmentUuid: string): Promise<void> {
    const { version, staff } = saved.get(assessmentUuid)!;
    const input = { assessmentUuid, version, numberOfStaffTrainedInSmartCare: staff + 1 };
    const { answer, lost } = await answered(() => person.call("PATCH", "/api/v1/assessment", input));
    // If only the answer was lost, the change was made: repeating it returns 409.
    must(answer.status === 200 || (lost > 0 && answer.status === 409), "change a visit", answer);
    saved.set(assessmentUuid, { version: version + 1, staff: staff + 1 });
    counts.changed += 1;
    const found = await get(person, `/api/v1/assessment/${assessmentUuid}`);
    const body = bodyOf<{ version?: number; numberOfStaffTrainedInSmartCare?: number }>(found);
    must(
      body.version === version + 1 && body.numberOfStaffTrainedInSmartCare === staff + 1,
      "read back a visit",
      found,
    );
    counts.readBack += 1;
  }

  async function connectFacility(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
    const details = randomBytes(8).toString("hex");
    const query = `mutation { updateFacilityConnectivity(input: { facilityUuid: "${facilityUuid}", present: true, details: "${details}" }) { errors { message } } }`;
    const { answer } = await answered(() => person.call("POST", "/graphql", { query }));
    must(
      isDeepStrictEqual(bodyOf<{ data?: unknown }>(answer).data, { updateFacilityConnectivity: { errors: [] } }),
      "set a facility's connectivity",
      answer,
    );
    connected.set(facilityUuid, details);
    counts.settings += 1;
    const found = await answered(() =>
      person.call("POST", "/graphql", {
        query: `{ facility(facilityUuid: "${facilityUuid}") { connectivity { details } } }`,
      }),
    );
    must(
      isDeepStrictEqual(bodyOf<{ data?: unknown }>(found.answer).data, { facility: { connectivity: { details } } }),
      "read back a facility's connectivity",
      found.answer,
    );
    counts.readBack += 1;
  }

  async function readStored(person: Person, uuid: string, sha256: string): Promise<void> {
    const { answer } = await answered(async (url) => {
      const file = await fetch(`${url}/api/v1/tdb/file/${uuid}`, { headers: { cookie: cookiesOf(person) } });
      const content = Buffer.from(await file.arrayBuffer());
      return {
        status: file.status,
        headers: file.headers,
        text: file.ok ? createHash("sha256").update(content).digest("hex") : content.toString(),
      };
    });
    must(answer.status === 200 && answer.text === sha256, "read back a TDB", answer);
    counts.readBack += 1;
  }

  async function sendByForm(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
    const content = tdbxOf(facilityUuid, {}, 20_000);
    const { answer } = await answered((url) =>
      sendForm(url, "/api/v1/tdb", person, formOf([{ name: "a.tdbx", content }])),
    );
    must(answer.status === 200, "send a TDB", answer);
    const [{ uuid, sha256 }] = bodyOf<[Receipt]>(answer);
    stored.set(uuid, sha256);
    counts.forms += 1;
    await readStored(person, uuid, createHash("sha256").update(content).digest("hex"));
  }

  async function sendInParts(person: Person, { facilityUuid }: SampleFacility): Promise<void> {
    const content = tdbxOf(facilityUuid, {}, 300_000);
    const made = await answered((url) => tusOf(url, person).announce(content.length));
    must(made.answer.status === 201, "announce a TDB", made.answer);
    const path = made.answer.headers.get("location")!;
    for (let offset = 0; offset < content.length;) {
      const part = content.subarray(offset, offset + 100_000);
      counts.requests += 1;
      // Asks for the new offset, because a killed gateway may have stored some of the part. Another one may still hold
      // the upload for a moment.
      await tusOf(gateway(), person)
        .patch(path, offset, part)
        .catch(() => {});
      const { answer } = await answered((url) => tusOf(url, person).head(path));
      if (answer.status === 200) ({ offset } = answer);
    }
    for (;;) {
      const { answer } = await answered((url) => tusOf(url, person).finish(path));
      if (answer.status === 202) continue;
      must(answer.status === 200, "finish a TDB", { status: answer.status, text: JSON.stringify(answer.body) });
      const { uuid, sha256 } = bodyOf<Receipt>(answer);
      stored.set(uuid, sha256);
      counts.resumable += 1;
      return readStored(person, uuid, createHash("sha256").update(content).digest("hex"));
    }
  }

  async function signInAndOut(): Promise<void> {
    const [staying, leaving] = [await signIn("viewer"), await signIn("viewer")];
    signedIn.push(staying);
    const cookies = new Map(leaving.cookies);
    const left = await get(leaving, "/api/v1/auth/logout");
    must(left.status === 200, "sign out", left);
    counts.signOuts += 1;
    leaving.cookies.clear();
    for (const [name, value] of cookies) leaving.cookies.set(name, value);
    signedOut.push(leaving);
    const refused = await get(leaving, "/api/v1/privilege");
    must(refused.status === 401, "ask after signing out", refused);
  }

  const [assessor, uploader, admin] = [await signIn("assessor"), await signIn("uploader"), await signIn("admin")];

  async function run(isOver: () => boolean): Promise<void> {
    const until = async (act: () => Promise<void>) => {
      while (!isOver()) {
        try {
          await act();
        } catch (error) {
          failures.push(error instanceof Unexpected ? error.message : String((error as Error).stack));
          await setTimeout(50);
        }
      }
    };
    await Promise.all([
      ...[0, 1, 2].map((index) => until(() => create(assessor, facilities[index]!))),
      ...[3, 4].map((index) => until(() => connectFacility(admin, facilities[index]!))),
      ...[5, 6].map((index) => until(() => sendByForm(uploader, facilities[index]!))),
      until(() => sendInParts(uploader, facilities[7]!)),
      until(signInAndOut),
    ]);
  }

  async function listLost(): Promise<string[]> {
    const lost: string[] = [];
    const uuids = [...saved.keys()];
    const rows = await db
      .selectFrom("assessment")
      .select(["assessmentUuid", "version", "numberOfStaffTrainedInSmartCare as staff"])
      .where("assessmentUuid", "in", uuids)
      .execute();
    const found = new Map(rows.map(({ assessmentUuid, ...row }) => [assessmentUuid, row]));
    for (const [uuid, row] of saved)
      if (!isDeepStrictEqual(found.get(uuid), row))
        lost.push(`visit ${uuid}: ${JSON.stringify(found.get(uuid))} instead of ${JSON.stringify(row)}`);
    const events = await db
      .selectFrom("auditEvent")
      .select(["subjectId", "action"])
      .where("subjectId", "in", uuids)
      .execute();
    for (const [uuid, { version }] of saved)
      for (const action of ["assessment.create", ...(version > 1 ? ["assessment.update"] : [])]) {
        const count = events.filter((event) => event.subjectId === uuid && event.action === action).length;
        if (count !== 1) lost.push(`visit ${uuid}: ${count} events ${action}`);
      }
    const tdbs = await db
      .selectFrom("tdb")
      .select(["tdbUuid", "sha256"])
      .where("tdbUuid", "in", [...stored.keys()])
      .execute();
    const hashes = new Map(tdbs.map(({ tdbUuid, sha256 }) => [tdbUuid, sha256]));
    for (const [uuid, sha256] of stored) {
      if (hashes.get(uuid) !== sha256) lost.push(`TDB ${uuid}: ${hashes.get(uuid)} instead of ${sha256}`);
      await readStored(uploader, uuid, sha256).catch((error: Error) => lost.push(`TDB ${uuid}: ${error.message}`));
    }
    for (const [facilityUuid, details] of connected) {
      const row = await db
        .selectFrom("facility")
        .select("connectivityDetails as details")
        .where("facilityUuid", "=", facilityUuid)
        .executeTakeFirst();
      if (row?.details !== details) lost.push(`facility ${facilityUuid}: ${row?.details} instead of ${details}`);
    }
    for (const [people, status] of [
      [signedIn, 200],
      [signedOut, 401],
    ] as const)
      for (const person of people) {
        const answer = await get(person, "/api/v1/privilege");
        if (answer.status !== status) lost.push(`a session: ${answer.status} instead of ${status}`);
      }
    const readRollups = () =>
      db
        .selectFrom("assessmentRollup")
        .selectAll()
        .orderBy("period")
        .orderBy("periodStart")
        .orderBy("facilityUuid")
        .execute();
    const readTdbRollups = () =>
      db.selectFrom("tdbRollup").selectAll().orderBy("period").orderBy("periodStart").orderBy("facilityUuid").execute();
    const rollups = [await readRollups(), await readTdbRollups()];
    await rebuildRollups(db);
    if (!isDeepStrictEqual(rollups, [await readRollups(), await readTdbRollups()]))
      lost.push("the figures of a period differ from a recount");
    return lost;
  }

  return {
    counts,
    failures,
    run,
    listLost,
    countPromised: () => saved.size * 2 + stored.size + connected.size + signedIn.length + signedOut.length,
  };
}
