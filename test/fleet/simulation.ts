import { bearerAt, bodyOf, type Person, type TestGateway } from "../support/gateway.ts";
import { formOf, sendFormBy, tdbxOf } from "../support/tdbx.ts";

/**
 * A simulated country: files that lead from version to version, and sites that ask, apply, report and send TDBs. It
 * counts what the screen must show.
 */

/** Their versions are newer than all versions of the demonstration. */
export const files = [
  { name: "to 100.10", version: "100.10", appliesFrom: "100.2", appliesTo: "100.9.9" },
  { name: "to 100.11", version: "100.11", appliesFrom: "100.10", appliesTo: "100.10" },
  { name: "to 101", version: "101.0", appliesFrom: "100.10.1", appliesTo: "100.99" },
];
export const target = "101.0";
const starts = ["100.2", "100.9", "100.10", "100.11", "101.0", "99.1"];
const pathFrom: Record<string, string[]> = {
  ...{
    "100.2": ["100.10", "100.11", "101.0"],
    "100.9": ["100.10", "100.11", "101.0"],
    "100.10": ["100.11", "101.0"],
    "100.11": ["101.0"],
    "101.0": [],
  },
};

export type Site = {
  facilityUuid: string;
  secret: string;
  /** The version in its last TDB. */
  seen: string;
  /** The version that is really installed. */
  runs: string;
  failed: boolean;
  applied: number;
};
export type Counts = Record<string, number>;
const random = (seed: number) => () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
};

/** The figures that the platform must show for the sites. */
export function expected(sites: readonly Site[], isPaused: boolean) {
  const states: Counts = {};
  const needed: Counts = {};
  const next: Counts = {};
  const versions: Counts = {};
  for (const { seen, runs, failed } of sites) {
    const path = pathFrom[runs];
    const state = !path
      ? "noPath"
      : path.length === 0
        ? seen === runs
          ? "reached"
          : "reported"
        : failed
          ? "failed"
          : isPaused
            ? "paused"
            : "due";
    states[state] = (states[state] ?? 0) + 1;
    versions[seen] = (versions[seen] ?? 0) + 1;
    for (const [at, version] of (path ?? []).entries()) {
      needed[version] = (needed[version] ?? 0) + 1;
      if (at === 0) next[version] = (next[version] ?? 0) + 1;
    }
  }
  return { states, needed, next, versions };
}

/** Adds facilities if the country has fewer than the simulation needs. */
async function addFacilities(gateway: TestGateway, count: number): Promise<void> {
  await gateway.sql`
    insert into facility (facility_uuid, facility_name, district_id, province_id)
    select 'simulated ' || n, 'Simulated ' || n, place.district_id, place.province_id
    from generate_series(1, greatest(0, ${count} - (select count(*)::integer from facility where closed_on is null))) as n
    join (select *, row_number() over (order by district_id) - 1 as at, count(*) over () as many from district) as place on place.at = n % place.many`;
}

/** Gives sites credentials and a first TDB each. */
export async function simulate(gateway: TestGateway, admin: Person, count: number, seed = 7) {
  const chance = random(seed);
  await addFacilities(gateway, count);
  const rows = await gateway.sql<{ uuid: string }>`
    select facility_uuid as uuid from facility where closed_on is null order by facility_uuid limit ${count}`;
  const days = await gateway.sql<{ day: string }>`select (current_date + 100)::text as day`;
  const issued = bodyOf<{ facilityUuid: string; secret: string }[]>(
    await admin.call("POST", "/api/v1/siteCredential", {
      facilities: rows.map(({ uuid }) => uuid),
      expiryDate: days[0]!.day,
    }),
  );
  const sites = issued.map(({ facilityUuid, secret }, at): Site => {
    const start = starts[at % starts.length]!;
    return { facilityUuid, secret, seen: start, runs: start, failed: false, applied: 0 };
  });
  const call = (site: Site) => bearerAt(gateway.url, site.secret);
  const each = async (work: (site: Site, draw: () => number) => Promise<void>) => {
    const draws = sites.map(() => [chance(), chance(), chance()]);
    for (let from = 0; from < sites.length; from += 8)
      await Promise.all(sites.slice(from, from + 8).map((site, at) => work(site, () => draws[from + at]!.pop()!)));
  };
  const sendTdb = async (site: Site) => {
    const content = tdbxOf(site.facilityUuid, { createdAt: new Date().toISOString(), libraryVersion: site.runs });
    const answer = await sendFormBy(gateway.url, site.secret, formOf([{ name: "site.tdbx", content }]));
    if (answer.status !== 200) throw new Error(`A TDB was refused: ${answer.text}`);
    site.seen = site.runs;
  };
  await each((site) => sendTdb(site));
  return {
    sites,
    call,
    /**
     * Some sites ask for updates, apply the first file or fail, and report. Some send a TDB. Returns how many had files
     * to apply.
     */
    round: async () => {
      let sitesWithUpdates = 0;
      await each(async (site, draw) => {
        const [asks, works, sends] = [draw() < 0.8, draw() < 0.85, draw() < 0.6];
        if (asks) {
          const { updates } = bodyOf<{ updates: { uuid: string; version: string }[] }>(
            await call(site).get("/api/v1/site/me/updates"),
          );
          const path = pathFrom[site.runs] ?? [];
          const [first] = updates;
          if (first) {
            sitesWithUpdates += 1;
            if (updates.map(({ version }) => version).join() !== path.join())
              throw new Error(`A site with ${site.runs} got ${JSON.stringify(updates)}`);
            const report = works ? { outcome: "applied" } : { outcome: "failed", why: "The disk is full" };
            const answer = await call(site).call("POST", `/api/v1/site/me/updates/${first.uuid}`, report);
            if (answer.status !== 200) throw new Error(`A report was refused: ${answer.text}`);
            site.failed = !works;
            if (works) [site.runs, site.applied] = [first.version, site.applied + 1];
          }
        }
        if (sends) await sendTdb(site);
      });
      return sitesWithUpdates;
    },
  };
}

/** Adds the files to the downloads, each with its release. */
export async function addFiles(add: (name: string) => Promise<string>, admin: Person): Promise<Map<string, string>> {
  const uuids = new Map<string, string>();
  for (const { name, version, appliesFrom, appliesTo } of files) {
    const uuid = await add(`Patch ${name}`);
    const answer = await admin.call("PUT", `/api/v1/download/${uuid}/release`, {
      version,
      appliesFrom,
      appliesTo,
      installs: ["library"],
    });
    if (answer.status !== 200) throw new Error(answer.text);
    uuids.set(version, uuid);
  }
  return uuids;
}
