import { pathBetween, type Step } from "../download/releasePath.rules.ts";
import type { DemoFacility } from "./demo.facilities.ts";
import type { createDownloads, createTdbs } from "./demo.files.ts";
import { addDays, draw, moment, uuidOf } from "./demo.random.ts";
import type { DemoVisit } from "./demo.visits.ts";

/**
 * A made-up rollout that is running. Some of its sites have its version, some have applied a part of the files, some
 * failed, and some have not reported.
 */

const target = { version: "4.3.1", channel: "general" } as const;
const provinces = ["Lusaka", "Southern"];
const startedDays = 20;
const failures = [
  "The disk is full",
  "The database was in use by another program",
  "The power failed during the update",
];

type Given = {
  facilities: readonly DemoFacility[];
  visits: readonly DemoVisit[];
  tdbs: ReturnType<typeof createTdbs>;
  downloads: ReturnType<typeof createDownloads>;
  today: string;
  provinceIdOf: (name: string) => number;
  userUuidOf: (author: string) => string;
};

type Seen = { day: string; version: string | null };
/** The version that each site runs, by its latest visit or TDB, whichever is later. */
function seenAt({ visits, tdbs }: Given): Map<string, Seen> {
  const latest = (rows: (Seen & { facilityUuid: string })[]) => {
    const found = new Map<string, Seen>();
    for (const { facilityUuid, day, version } of rows)
      if (day >= (found.get(facilityUuid)?.day ?? "")) found.set(facilityUuid, { day, version });
    return found;
  };
  const seen = latest(
    visits.map(({ facilityUuid, assessedAt, libraryVersion: version }) => ({
      facilityUuid,
      day: assessedAt.slice(0, 10),
      version,
    })),
  );
  for (const [facilityUuid, one] of latest(
    tdbs.map(({ tdb }) => ({
      facilityUuid: tdb.facilityUuid,
      day: tdb.tdbCreatedAt.slice(0, 10),
      version: tdb.libraryVersion,
    })),
  )) {
    const visit = seen.get(facilityUuid);
    if (!visit || visit.version === null || one.day >= visit.day) seen.set(facilityUuid, one);
  }
  return seen;
}

/** The rollout and what its sites reported. */
export function createRollout(given: Given) {
  const { facilities, downloads, today, provinceIdOf, userUuidOf } = given;
  const rolloutUuid = uuidOf("rollout", 7);
  const start = addDays(today, -startedDays);
  const files = downloads.flatMap(({ download }): Step[] =>
    download.version === null
      ? []
      : [
          {
            ...download,
            version: download.version,
            uuid: download.downloadUuid,
            channel: target.channel,
            size: download.fileSize,
          },
        ],
  );
  const seen = seenAt(given);
  const reports = facilities
    .filter(({ province }) => provinces.includes(province))
    .flatMap(({ facilityUuid }) => {
      const { day: seenDay, version } = seen.get(facilityUuid) ?? { day: "", version: null };
      const path = version === null ? [] : (pathBetween(files, version, target.version, target.channel) ?? []);
      const { between, chance, pick, number } = draw(`update ${facilityUuid}`);
      let day = [addDays(start, between(1, 6)), seenDay].toSorted().at(-1)!;
      let due = start;
      const made = [];
      for (const { uuid: downloadUuid } of path) {
        if (day >= today || !chance(0.7)) break;
        const fails = number() < 0.2;
        made.push({
          ...{
            reportUuid: uuidOf(`report ${facilityUuid} ${downloadUuid}`, 7),
            facilityUuid,
            downloadUuid,
            rolloutUuid,
            userUuid: userUuidOf("assessor"),
          },
          ...{
            outcome: fails ? "failed" : "applied",
            why: fails ? pick(failures) : null,
            dueDay: due,
            reportedAt: moment(day, between(8, 15), between(0, 59)),
          },
        });
        if (fails) break;
        [due, day] = [day, addDays(day, between(2, 9))];
      }
      return made;
    });
  const rollout = {
    ...{
      rolloutUuid,
      ...target,
      provinceIds: provinces.map(provinceIdOf),
      districtIds: [],
      implementingPartnerIds: [],
      byList: false,
      percentage: 100,
    },
    ...{ startDay: start, createdAt: moment(addDays(start, -2), 14, 30), userUuid: userUuidOf("admin") },
  };
  return { rollout, reports };
}
