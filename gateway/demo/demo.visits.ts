import type { Mode } from "../facility/facility.rules.ts";
import { fiscalYearOf, yearStart } from "../calendar/fiscal.rules.ts";
import type { DemoFacility } from "./demo.facilities.ts";
import { firstNames, roles, surnames } from "./demo.people.ts";
import { addDays, daysBetween, type Draw, draw, moment, uuidOf } from "./demo.random.ts";

/** Made-up assessments of the previous and the present fiscal year. Adoption increases with time. */

export const versions = [
  { libraryVersion: "4.0.1", databaseVersion: "17.1" },
  { libraryVersion: "4.0.3", databaseVersion: "17.1" },
  { libraryVersion: "4.1.0", databaseVersion: "17.4" },
  { libraryVersion: "4.1.2", databaseVersion: "17.4" },
  { libraryVersion: "4.2.0", databaseVersion: "18.0" },
  { libraryVersion: "4.2.5", databaseVersion: "18.2" },
  { libraryVersion: "4.3.0", databaseVersion: "18.6" },
  { libraryVersion: "4.3.1", databaseVersion: "18.6" },
];

/** The first day of the demonstration's history. */
export const historyStart = (today: string): string => yearStart(fiscalYearOf(today) - 1);

/** The country's progress in adoption on a day, from 0 to 1. */
export const progressOn = (day: string, today: string): number =>
  daysBetween(historyStart(today), day) / Math.max(1, daysBetween(historyStart(today), today));

/** How quickly a facility adopts the system, from 0 to 1. It is the same on all days. */
const willingness = ({ facilityUuid }: DemoFacility): number => draw(`willingness ${facilityUuid}`).number();

export function modeOn(facility: DemoFacility, progress: number, { number, chance }: Draw): Mode {
  if (chance(0.05)) return "NotOperational";
  const stage = 0.4 * progress + 0.9 * willingness(facility) + 0.1 * number() - 0.42;
  if (stage < 0.05) return "NotDeployed";
  if (stage < 0.2) return "Partial";
  if (stage < 0.45) return "ELast";
  if (stage < 0.65) return "EFast";
  return "EFirst";
}

/** The version that a facility runs: the newest known that day, or one of those before. */
export function versionOn(progress: number, { between }: Draw) {
  const newest = Math.min(versions.length - 1, Math.floor(1 + progress * (versions.length - 1)));
  return versions[Math.max(0, newest - between(0, 2) * between(0, 1))]!;
}

/** Whether nobody has visited a facility yet. */
const isUnvisited = ({ facilityUuid }: DemoFacility): boolean => draw(`unvisited ${facilityUuid}`).chance(0.1);

/** The days on which a facility was visited, sometimes twice in a month. */
function visitDays(facility: DemoFacility, today: string): string[] {
  if (isUnvisited(facility)) return [];
  const { between, chance } = draw(`visits ${facility.facilityUuid}`);
  const days: string[] = [];
  for (let day = addDays(historyStart(today), between(0, 150)); day < today; day = addDays(day, between(70, 180))) {
    days.push(day);
    const again = addDays(day, between(5, 12));
    if (chance(0.08) && again < today && again.slice(0, 7) === day.slice(0, 7)) days.push(again);
  }
  return days;
}

const notes = {
  primary: [null, null, "National grid", "Grid with daily outages", "Mini-hydro of the mission"],
  backup: [null, null, "Solar, four panels", "Diesel generator, fuel is short", "Inverter with new batteries"],
  issues: [
    null,
    "Two computers wait for repair",
    "Printer cartridges are missing",
    "Staff ask for a refresher course",
    "The network cable to the pharmacy is cut",
    "Screens freeze when the card reader is unplugged",
  ],
  closing: [
    null,
    "Follow up next quarter",
    "Good progress",
    "In-charge was informed",
    "Made-up assessment of the demonstration",
  ],
  area: [null, null, "Runs well", "One computer for two rooms", "Uses paper on busy days"],
};

function contact(prefix: "contactA" | "contactB", { pick, between, chance }: Draw) {
  const firstName = pick(firstNames);
  const surname = pick(surnames);
  return {
    [`${prefix}Name`]: `${firstName} ${surname}`,
    [`${prefix}Role`]: pick(roles),
    [`${prefix}PrimaryPhone`]: `+2609000${between(10_000, 99_999)}`,
    [`${prefix}SecondaryPhone`]: chance(0.3) ? `+2609001${between(10_000, 99_999)}` : null,
    [`${prefix}Email`]: chance(0.6) ? `${firstName}.${surname}@demo.example`.toLowerCase() : null,
  };
}

/** The record of one visit, with an entry for each service area of the facility. */
function createVisit(facility: DemoFacility, { day, today, time }: { day: string; today: string; time?: string }) {
  const key = `visit ${facility.facilityUuid} ${daysBetween(historyStart(today), day)}`;
  const chances = draw(key);
  const { between, chance, pick } = chances;
  const progress = progressOn(day, today);
  const mode = modeOn(facility, progress, chances);
  const deployed = mode !== "NotDeployed";
  const functional = deployed && mode !== "NotOperational" && chance(mode === "Partial" ? 0.5 : 0.9);
  const version = versionOn(progress, chances);
  const primaryPower = chance(0.75 + 0.15 * progress);
  const backupPower = chance(0.4 + 0.3 * progress);
  const located = facility.latitude !== null && facility.longitude !== null && chance(0.85);
  const near = (degrees: number) => Math.round((degrees + between(-5, 5) / 10_000) * 1e6) / 1e6;
  const author = chance(0.8) ? "assessor" : "admin";
  const assessedAt = time ?? moment(day, between(8, 15), between(0, 59), between(0, 59));
  return {
    assessmentUuid: uuidOf(key),
    facilityUuid: facility.facilityUuid,
    author,
    assessedAt,
    primaryPower,
    primaryPowerWorking: primaryPower && chance(0.85),
    primaryPowerNotes: primaryPower ? pick(notes.primary) : null,
    backupPower,
    backupPowerWorking: backupPower && chance(0.75),
    backupPowerNotes: backupPower ? pick(notes.backup) : null,
    smartCareFunctional: functional,
    libraryVersionConsistent: deployed ? chance(0.85) : null,
    libraryVersion: deployed ? version.libraryVersion : null,
    databaseVersion: deployed ? version.databaseVersion : null,
    functionalityStatusMode: mode,
    // In the specification 1900-01-01 means that there was no upgrade.
    dateOfLastUpgrade: deployed ? addDays(day, -between(5, 240)) : "1900-01-01",
    numberOfStaffTrainedInSmartCare: deployed ? between(1, 4) + Math.round(progress * between(0, 14)) : between(0, 2),
    latitude: located ? near(facility.latitude!) : null,
    longitude: located ? near(facility.longitude!) : null,
    // Drawn by itself, so that all other values stay as they were.
    positionAccuracy: located ? draw(`accuracy ${key}`).between(4, 60) : null,
    positionAt: located ? assessedAt : null,
    otherIssues: pick(notes.issues),
    closingComments: pick(notes.closing),
    ...contact("contactA", chances),
    ...(chance(0.7) ? contact("contactB", chances) : {}),
    areas: facility.serviceAreas.map((area) => ({
      area,
      libraryVersion: deployed ? version.libraryVersion : null,
      databaseVersion: deployed ? version.databaseVersion : null,
      smartCareFunctional: functional && chance(0.85),
      additionalNotes: pick(notes.area),
    })),
  };
}
export type DemoVisit = ReturnType<typeof createVisit>;

/** All visits, the oldest first. On the first day of a month some are of that day, so that the month is not empty. */
export function createVisits(facilities: DemoFacility[], today: string): DemoVisit[] {
  const visits = facilities.flatMap((facility) =>
    visitDays(facility, today).map((day) => createVisit(facility, { day, today })),
  );
  if (today.endsWith("-01"))
    for (const [index, facility] of facilities
      .filter((one) => !isUnvisited(one))
      .slice(0, 4)
      .entries())
      visits.push({
        ...createVisit(facility, { day: today, today, time: moment(today, 0, 0, index) }),
        author: "assessor",
      });
  const keyOf = ({ assessedAt, assessmentUuid }: DemoVisit) => `${assessedAt} ${assessmentUuid}`;
  return visits.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
