import { builtInSystems } from "../../db/facility/identifierSystems.rules.ts";
import type { DemoFacility } from "./demo.facilities.ts";
import { addDays, draw, moment, tokenOf, uuidOf } from "./demo.random.ts";
import { historyStart } from "./demo.visits.ts";

/**
 * Made-up data of the registry: identifiers of other systems, sites that were entered twice and merged, and closed
 * sites. They are in no figure.
 */

const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const digits = "0123456789";

/** The identifiers of other systems; each system has identifiers for a share of the facilities. */
const known: { system: string; share: number; valueOf: (key: string, serial: number) => string }[] = [
  {
    system: "dhis2",
    share: 0.9,
    valueOf: (key) => tokenOf(`dhis2 ${key}`, 1, letters) + tokenOf(`dhis2 rest ${key}`, 10, letters + digits),
  },
  { system: "smartcare", share: 0.6, valueOf: (key) => uuidOf(`smartcare ${key}`) },
  { system: "ihris", share: 0.5, valueOf: (_key, serial) => `facility|demo${String(serial + 1).padStart(4, "0")}` },
  { system: "elmis", share: 0.5, valueOf: (_key, serial) => `DEMO-EL${String(serial + 1).padStart(4, "0")}` },
];

/** Identifiers of other systems. The codes of a facility are columns of its row. */
export function createIdentifiers(facilities: readonly DemoFacility[]) {
  return facilities.flatMap(({ facilityUuid }, serial) => {
    const { chance } = draw(`identifiers ${facilityUuid}`);
    return known
      .filter(({ share }) => chance(share))
      .map(({ system, valueOf }) => ({
        facilityUuid,
        system,
        value: valueOf(facilityUuid, serial),
        isUnique: builtInSystems.find((one) => one.system === system)!.isUnique,
      }));
  });
}

const merges = [
  { name: "Twin Demo Health Post (second entry)", district: "Mansa", type: "Health Post", code: "9990004", days: 12 },
  { name: "Demo University Hospital", district: "Lusaka", type: "District Hospital", code: "9990005", days: 75 },
];

type Places = { provinceId: number; districtId: number };
type Given = {
  facilities: readonly DemoFacility[];
  today: string;
  placeOf: (district: string) => Places;
  userUuid: string;
};

const closings = [
  {
    name: "Old Town Demo Health Post",
    district: "Livingstone",
    type: "Health Post",
    code: "9990006",
    days: 800,
    reason: "Replaced by the urban health centre across the road",
  },
  {
    name: "Riverside Demo Clinic",
    district: "Mongu",
    type: "Rural Health Centre",
    code: "9990007",
    days: 931,
    reason: "The road and the building were washed away",
  },
  {
    name: "Demo Mine Dispensary",
    district: "Kitwe",
    type: "Health Post",
    code: "9990008",
    days: 1204,
    reason: "The mine was closed, and its dispensary with it",
  },
];

/** Sites that were closed years before the history begins. */
export function createClosed({ today, placeOf }: Pick<Given, "today" | "placeOf">) {
  const created = moment(addDays(historyStart(today), -2000), 8, 0);
  return closings.map(({ name, district, type, code, days, reason }) => ({
    ...placeOf(district),
    ...{
      facilityUuid: uuidOf(`closed ${name}`, 7),
      facilityName: name,
      hmisCode: code,
      facilityType: type,
      facilityOwner: "GRZ",
    },
    ...{
      closedOn: addDays(historyStart(today), -days),
      closeReason: reason,
      version: 2,
      createdAt: created,
      updatedAt: moment(addDays(historyStart(today), -days), 9, 30),
    },
  }));
}

/**
 * Sites that were entered twice and then merged: each as it was, the facility that it was merged into, and its code,
 * which is now a former code of that facility.
 */
export function createMerges({ facilities, today, placeOf, userUuid }: Given) {
  const created = moment(addDays(historyStart(today), -900), 8, 0);
  return merges.map(({ name, district, type, code, days }) => {
    const row = {
      ...placeOf(district),
      ...{
        facilityUuid: uuidOf(`former ${name}`, 7),
        facilityName: name,
        hmisCode: code,
        facilityType: type,
        version: 1,
        createdAt: created,
        updatedAt: created,
      },
    };
    const survivor = facilities.find(
      (one) => one.district === district && one.facilityType === type && one.hmisCode !== null,
    )!;
    const asStored = Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), value]),
    );
    const identifiers = [{ system: "hmis", value: code, valid_from: null, valid_until: null, is_unique: true }];
    const nothing = {
      assessments: [],
      tdbs: [],
      sites: [],
      notes: [],
      reports: [],
      rollouts: [],
      merged: [],
      areas: [],
      addedAreas: [],
    };
    const day = addDays(today, -days);
    return {
      merge: {
        facilityUuid: row.facilityUuid,
        intoUuid: survivor.facilityUuid,
        userUuid,
        mergedAt: moment(day, 10, 15),
        facility: asStored,
        moved: { ...nothing, identifiers, intoCode: survivor.hmisCode },
      },
      identifier: { facilityUuid: survivor.facilityUuid, system: "hmis", value: code, validUntil: day, isUnique: true },
    };
  });
}
