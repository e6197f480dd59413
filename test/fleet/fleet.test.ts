import { afterAll, beforeAll, expect, test } from "vitest";

import { bearerAt, bodyOf, errorsOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import {
  changedBy,
  changeRollout,
  createRollout,
  listRollouts,
  refusedWith,
  type Rollout,
} from "../support/mutations.ts";
import { patienceOfTest } from "../support/patience.ts";
import { sendForm } from "../support/tdbx.ts";
import { addFiles, expected, simulate, target } from "./simulation.ts";

/**
 * The fleet over HTTP: simulated sites go through a rollout that is paused once, and the figures must equal those of
 * the simulation.
 *
 * FLEET_SITES=1000 simulates that many sites and prints how long the steps took.
 */

const count = Number(process.env["FLEET_SITES"] ?? 200);
const isTimed = Boolean(process.env["FLEET_SITES"]);
/** Prints how long a step took if FLEET_SITES is set. */
async function timed<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
  const began = Date.now();
  const result = await step();
  if (isTimed) console.log(`${what}: ${Date.now() - began} ms`);
  return result;
}
let gateway: TestGateway;
let admin: Person;
let files: Map<string, string>;
let country: Awaited<ReturnType<typeof simulate>>;
let rollout: Rollout;
let start: string;

const content = (name: string) => Buffer.from(`The content of ${name}. `.repeat(5000));
async function add(name: string): Promise<string> {
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(content(name))]), "patch.zip");
  for (const [key, value] of Object.entries({
    fileName: name,
    fileDescription: "A patch of the simulation",
    fileType: "PATCH",
  }))
    form.append(key, value);
  return bodyOf<{ uuid: string }>(await sendForm(gateway.url, "/api/v1/download", admin, form)).uuid;
}

beforeAll(
  async () => {
    gateway = await testGateway("demo", {}, [/./]);
    admin = await gateway.as("admin");
    // Ends the demonstration's rollouts, so that only the test's one runs.
    for (const { uuid } of await listRollouts(admin)) await changedBy(changeRollout(admin, uuid, { state: "ended" }));
    files = await addFiles(add, admin);
    country = await timed("credentials and a first TDB each", () => simulate(gateway, admin, count));
    start = (await gateway.sql<{ day: string }>`select current_date::text as day`)[0]!.day;
  },
  patienceOfTest + count * 300,
);
afterAll(() => gateway?.stop());

type Fleet = {
  versions: { version: string; facilities: number }[];
  quarters: { versions: { version: string; facilities: number }[] }[];
  rollouts: ({ rollout: { uuid: string }; covered: number; stuck: number } & Record<string, number>)[];
  files: {
    uuid: string;
    version: string;
    needed: number;
    next: number;
    failed: number;
    applied: number;
    medianDays: number | null;
  }[];
};
const readFleet = () => timed("figures of the fleet", async () => bodyOf<Fleet>(await admin.get("/api/v1/fleet")));
const nonZero = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, value]) => value > 0));

/** The platform's figures, in the form of the simulation. */
async function seen() {
  const fleet = await readFleet();
  const own = fleet.rollouts.find((each) => each.rollout.uuid === rollout.uuid)!;
  const { rollout: _rollout, covered, stuck, ...states } = own;
  const byVersion = (name: "needed" | "next") =>
    nonZero(
      Object.fromEntries(
        fleet.files.filter(({ uuid }) => [...files.values()].includes(uuid)).map((file) => [file.version, file[name]]),
      ),
    );
  const simulated = Object.fromEntries(
    fleet.versions
      .filter(({ version }) => Number(version.split(".")[0]) > 90)
      .map(({ version, facilities }) => [version, facilities]),
  );
  expect(stuck).toBe((states["failed"] ?? 0) + (states["silent"] ?? 0) + (states["noPath"] ?? 0));
  expect(covered).toBe(count);
  expect(
    fleet.files.reduce((total, { uuid, applied }) => total + ([...files.values()].includes(uuid) ? applied : 0), 0),
  ).toBe(country.sites.reduce((total, { applied }) => total + applied, 0));
  const { versions: last } = fleet.quarters.at(-1)!;
  expect(last).toEqual(fleet.versions);
  return { states: nonZero(states), needed: byVersion("needed"), next: byVersion("next"), versions: simulated };
}

const aim = (more: object = {}) => ({
  version: target,
  startDay: start,
  facilityUuids: country.sites.map(({ facilityUuid }) => facilityUuid),
  ...more,
});

test("a rollout to a version that no path reaches is refused with a message that names the versions", async () => {
  const unknown = await createRollout(admin, aim({ version: "102.7" }));
  expect(unknown).toEqual({
    changed: null,
    errors: [
      {
        path: "version",
        message: expect.stringMatching(
          /^No path reaches 102\.7: no file .*The sites run 99\.1 \(\d+ sites\), 100\.2 \(\d+ sites\), 100\.9 /,
        ),
      },
    ],
  });
  const behind = await createRollout(admin, aim());
  expect(behind).toEqual({
    changed: null,
    errors: [{ path: "version", message: expect.stringMatching(/^No path reaches 101\.0 from 99\.1 \(\d+ sites\)\./) }],
  });
  const alone = country.sites.filter(({ runs }) => runs === "99.1").map(({ facilityUuid }) => facilityUuid);
  expect(
    (await createRollout(admin, aim({ facilityUuids: alone, leaveBehind: true }))).errors.map(({ path }) => path),
  ).toEqual(["version"]);
  expect((await listRollouts(admin)).map(({ state }) => state)).toEqual(["ended"]);
});

test.each<[object, string]>([
  [{ version: "new" }, "version"],
  [{ percentage: 0 }, "percentage"],
  [{ percentage: 101 }, "percentage"],
  [{ provinceIds: [999_999] }, "provinceIds.0"],
  [{ districtIds: [999_999] }, "districtIds.0"],
  [{ implementingPartnerIds: [999_999] }, "implementingPartnerIds.0"],
  [{ facilityUuids: ["nobody"] }, "facilityUuids.0"],
  [{ facilityUuids: [] }, "facilityUuids"],
])("a rollout with %j is refused, naming %s", async (wrong, path) => {
  const { changed, errors } = await createRollout(admin, aim({ leaveBehind: true, ...wrong }));
  expect([changed, errors.map((error) => error.path)]).toEqual([null, [path]]);
});

test(
  "the figures equal the simulation's throughout a rollout that is paused once",
  async () => {
    const before = bodyOf<object>(await country.call(country.sites[0]!).get("/api/v1/site/me/updates"));
    expect(before).toMatchObject({ presentVersion: "100.2", target: null, reason: "noRollout", updates: [] });
    rollout = await changedBy(createRollout(admin, aim({ leaveBehind: true })));
    expect(await seen()).toEqual(expected(country.sites, false));
    const change = (state: string) => changedBy(changeRollout(admin, rollout.uuid, { state }));
    for (let at = 0; at < 3; at += 1) {
      expect(await timed("a round", country.round)).toBeGreaterThan(0);
      expect(await seen()).toEqual(expected(country.sites, false));
    }
    await change("paused");
    expect(await seen()).toEqual(expected(country.sites, true));
    expect(await country.round()).toBe(0);
    expect(await seen()).toEqual(expected(country.sites, true));
    await change("running");
    for (let at = 0; at < 6; at += 1) await timed("a round", country.round);
    expect(await seen()).toEqual(expected(country.sites, false));
    const stuck = bodyOf<{ facilityUuid: string; state: string }[]>(await admin.get("/api/v1/fleet/site?stuck=true"));
    const isStuck = ({ failed, runs }: (typeof country.sites)[number]) =>
      (failed && runs !== target) || runs === "99.1";
    expect(stuck.map(({ facilityUuid }) => facilityUuid).toSorted()).toEqual(
      country.sites
        .filter(isStuck)
        .map(({ facilityUuid }) => facilityUuid)
        .toSorted(),
    );
  },
  patienceOfTest + count * 1000,
);

test("REST and GraphQL return the same fleet", async () => {
  const fleet = await readFleet();
  const query = `{ fleet { facilities known versions { version facilities } quarters { periodStart versions { version facilities } }
    rollouts { rollout { uuid } covered stuck due silent failed paused reported reached noPath } files { uuid name version size needed next failed applied medianDays longestDays } } }`;
  const { data } = await admin.graphql(query);
  expect(fleet).toMatchObject(data.fleet);
  expect(data.fleet.rollouts).toHaveLength(1);
});

test("a site can fetch the files it has to apply, complete or from where it stopped, and no others", async () => {
  const site = country.sites.find(({ runs }) => runs === "99.1")!;
  const [first] = bodyOf<{ uuid: string; version: string | null }[]>(await admin.get("/api/v1/download/release"));
  expect([first!.version, (await country.call(site).get(`/api/v1/download/${first!.uuid}`)).status]).toEqual([
    null,
    403,
  ]);
  expect((await country.call(site).get("/api/v1/download")).status).toBe(403);
  await gateway.sql`update update_report set outcome = 'failed', why = 'Undone by the test' where facility_uuid = ${country.sites[3]!.facilityUuid}`;
  const other = country.sites[3]!;
  await gateway.sql`update tdb set library_version = '100.11' where facility_uuid = ${other.facilityUuid}`;
  const { updates } = bodyOf<{
    updates: { uuid: string; address: string; size: number; sha256: string; digest: string }[];
  }>(await country.call(other).get("/api/v1/site/me/updates"));
  const [file] = updates;
  expect(
    (await country.call(other).get(`/api/v1/download/${files.get("100.10")}`)).status,
    "released, but for older versions than the site runs",
  ).toBe(403);
  expect(file).toMatchObject({
    uuid: files.get(target),
    size: content("Patch to 101").length,
    address: `/api/v1/download/${files.get(target)}`,
  });
  const fetched = async (headers: Record<string, string>) =>
    fetch(gateway.url + file!.address, { headers: { authorization: `Bearer ${other.secret}`, ...headers } });
  const complete = await fetched({});
  expect([complete.status, complete.headers.get("repr-digest")]).toEqual([200, file!.digest]);
  expect(Buffer.from(await complete.arrayBuffer()).equals(content("Patch to 101"))).toBe(true);
  const rest = await fetched({ range: "bytes=1000-", "if-range": `"${file!.sha256}"` });
  expect([rest.status, rest.headers.get("repr-digest")]).toEqual([206, file!.digest]);
  expect(Buffer.from(await rest.arrayBuffer()).equals(content("Patch to 101").subarray(1000))).toBe(true);
  const events = bodyOf<{ facilityUuid: string }[]>(await admin.get("/api/v1/audit?action=download.fetch&limit=5"));
  expect(events[0]!.facilityUuid).toBe(other.facilityUuid);
});

test("a report needs a valid outcome, is stored once, and is made by the site itself or a person who may edit the facility", async () => {
  const site = country.sites[3]!;
  const path = `/api/v1/site/me/updates/${files.get(target)}`;
  for (const [wrong, field] of [
    [{ outcome: "failed" }, "why"],
    [{ outcome: "applied", why: "x" }, "why"],
    [{ outcome: "maybe" }, "outcome"],
    [{ outcome: "failed", why: "x".repeat(513) }, "why"],
  ] as const) {
    const answer = await country.call(site).call("POST", path, wrong);
    expect([answer.status, errorsOf(answer)[0]!.path]).toEqual([422, field]);
  }
  expect((await country.call(site).call("POST", "/api/v1/site/me/updates/none", { outcome: "applied" })).status).toBe(
    404,
  );
  const [one, again] = [
    await country.call(site).call("POST", path, { outcome: "applied" }),
    await country.call(site).call("POST", path, { outcome: "applied" }),
  ];
  expect([one.status, bodyOf(again).uuid]).toEqual([200, bodyOf(one).uuid]);
  const viewer = await gateway.as("viewer");
  const listed = bodyOf<object>(await viewer.get(`/api/v1/facility/${site.facilityUuid}/updates`));
  expect(listed).toMatchObject({ target, reason: "reported", updates: [] });
  expect(
    (
      await viewer.call("POST", `/api/v1/facility/${site.facilityUuid}/updates/${files.get(target)}`, {
        outcome: "applied",
      })
    ).status,
  ).toBe(403);
  const assessor = await gateway.as("assessor");
  const failed = await assessor.call("POST", `/api/v1/facility/${site.facilityUuid}/updates/${files.get(target)}`, {
    outcome: "failed",
    why: "It does not start",
  });
  expect(bodyOf(failed)).toMatchObject({ outcome: "failed", why: "It does not start" });
  expect((await bearerAt(gateway.url, "none").get("/api/v1/site/me/updates")).status).toBe(401);
});

test("a smaller share covers some of the sites, a larger one these and more, and an ended rollout cannot be resumed", async () => {
  const change = (input: object) => changeRollout(admin, rollout.uuid, input);
  expect((await change({ percentage: 40 })).changed.percentage).toBe(40);
  const covered = async () =>
    new Set(
      bodyOf<{ facilityUuid: string }[]>(await admin.get("/api/v1/fleet/site")).map(({ facilityUuid }) => facilityUuid),
    );
  const few = await covered();
  expect(few.size).toBeGreaterThan(count * 0.2);
  expect(few.size).toBeLessThan(count * 0.6);
  await change({ percentage: 60 });
  const more = await covered();
  expect(more.size).toBeGreaterThan(few.size);
  expect([...few].filter((uuid) => !more.has(uuid))).toEqual([]);
  expect((await change({})).errors.map(({ path }) => path)).toEqual(["state"]);
  expect((await change({ state: "ended" })).changed).toMatchObject({ state: "ended", endedDate: start });
  expect(await change({ state: "running" })).toEqual(refusedWith(/ has ended: make another one\.$/));
  expect(bodyOf(await country.call(country.sites[0]!).get("/api/v1/site/me/updates"))).toMatchObject({
    reason: "noRollout",
  });
  const events = bodyOf<{ details: { state?: string } }[]>(
    await admin.get("/api/v1/audit?action=rollout.change&limit=10"),
  );
  expect(events.map(({ details }) => details.state)).toEqual([
    "ended",
    undefined,
    undefined,
    "running",
    "paused",
    "ended",
  ]);
});
