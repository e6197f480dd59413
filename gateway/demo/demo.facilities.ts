import type { FieldName, ValuesOf } from "../../db/facility/facilityFields.rules.ts";
import type { DemoProvince } from "./demo.places.ts";
import { positionWithin } from "./demo.positions.ts";
import { draw, tokenOf, uuidOf } from "./demo.random.ts";

/** Made-up facilities: five in each district. */

export const serviceAreas = [
  "ART",
  "Family Planning",
  "HTS",
  "Laboratory",
  "MCH",
  "OPD",
  "Pharmacy",
  "PMTCT",
  "TB",
  "VMMC",
];
export const connectivityTypes = ["ADSL", "Fibre", "Microwave", "Mobile modem", "VSAT"];
export const connectivityProviders = ["Demo Mobile", "Example Telecom", "Sample Cell"];

export type DemoFacility = Partial<ValuesOf<FieldName>> & {
  facilityUuid: string;
  facilityName: string;
  province: string;
  district: string;
  partner: string | null;
  connectivityPresent: boolean | null;
  connectivityType: string | null;
  connectivityDetails: string | null;
  mobileCoverage: boolean | null;
  mobileProvider: string | null;
  serviceAreas: string[];
};

const onsets = ["Chi", "Ka", "Lu", "Mu", "Na", "Mwa", "Shi", "Si", "Nko", "Ndu", "Li", "Ma", "Nya", "Ku", "Mbo"];
const middles = ["lo", "mba", "nga", "te", "wi", "pu", "so", "le", "ku", "ya", "ndo", "sha", "fu", "ke"];
const endings = ["la", "mina", "wezi", "nde", "lingo", "shiku", "pati", "tenga", "zilo", "kasa", "nyembe", "balo"];

/**
 * Names that are difficult for the search: apostrophes, brackets, accents, punctuation, the same name twice in a
 * district.
 */
const special: Record<string, string> = {
  "Kafue 2": "Ng'wandela Rural Health Centre",
  "Chipata 2": "Lumwezilo (Old Town) Health Post",
  "Choma 2": "Saint-Thérèse Demo Mission Hospital",
  "Mongu 2": "São Lourenço Demo Clinic",
  "Ndola 2": "Müller Demo Memorial Clinic",
  "Kasama 2": "Shang'welo No. 2 Health Post",
  "Solwezi 2": "Nduketa & Ndukale Health Post",
  "Lusaka 1": "Demo University Teaching Hospital",
  "Mansa 2": "Twin Demo Health Post",
  "Mansa 3": "Twin Demo Health Post",
};

const kinds = [
  { type: "District Hospital", center: "Hospital", laboratory: "Level 2", serves: 160_000 },
  { type: "Urban Health Centre", center: "Urban", laboratory: "Level 1", serves: 24_000 },
  { type: "Rural Health Centre", center: "Rural", laboratory: "Level 1", serves: 11_000 },
  { type: "Rural Health Centre", center: "Rural", laboratory: null, serves: 8000 },
  { type: "Health Post", center: "Post", laboratory: null, serves: 4000 },
];

function uuidFor(key: string, serial: number): string {
  if (serial === 7) return tokenOf(key, 11, "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
  const kind = serial % 6;
  if (kind === 3) return tokenOf(key, 32, "0123456789abcdef");
  if (kind === 5 && serial % 4 === 1) return tokenOf(key, 32, "0123456789abcdefghijklmnopqrstuvwxyz");
  return uuidOf(key, 7);
}

/**
 * A made-up HMIS code. Codes begin with 99, as no real one does, so that a real list that is loaded later has none of
 * them.
 */
function codeFor(district: number, place: number, serial: number): string | null {
  if (serial % 6 === 4) return null;
  const letter = serial % 23 === 0;
  return `99${String(district).padStart(3, "0")}${letter ? "X" : "0"}0${place}`;
}

const partnerShares: [string | null, number][] = [
  ["Partner A", 0.32],
  ["Partner B", 0.22],
  ["Partner C", 0.14],
  ["Partner D", 0.09],
  ["Ministry of Health", 0.15],
  ["Partner E (ended)", 0.02],
  [null, 1],
];

function partnerFor(number: number): string | null {
  let sum = 0;
  return partnerShares.find(([, share]) => number < (sum += share))![0];
}

function createFacility(
  province: DemoProvince,
  district: { name: string; number: number },
  place: number,
): DemoFacility {
  const key = `facility ${district.name} ${place}`;
  const serial = district.number * 5 + place;
  const { number, between, chance, pick } = draw(key);
  const served = draw(`served ${key}`);
  const kind = kinds[place]!;
  const name = `${pick(onsets)}${pick(middles)}${pick(endings)} ${kind.type}`;
  const position = positionWithin(province.name, district.name, number(), number());
  const located = !chance(0.12);
  const connected = chance(0.55);
  const covered = chance(0.8);
  const asked = !chance(0.08);
  const share = kind.center === "Hospital" ? 0.8 : kind.center === "Urban" ? 0.6 : 0.35;
  const offered = serviceAreas.filter(() => chance(share));
  return {
    facilityUuid: uuidFor(key, serial),
    facilityName: special[`${district.name} ${place}`] ?? name,
    hmisCode: codeFor(district.number, place, serial),
    oldHmisCode: chance(0.2) ? `9${between(10_000, 99_999)}` : null,
    province: province.name,
    district: district.name,
    partner: partnerFor(number()),
    facilityOwner: pick(["GRZ", "GRZ", "GRZ", "GRZ", "Mission", "Private", "NGO", null]),
    healthCenterType: kind.center,
    facilityType: kind.type,
    laboratoryLevel: kind.laboratory,
    latitude: located ? position.latitude : null,
    longitude: located ? position.longitude : null,
    catchmentPopulation: served.chance(0.9) ? Math.round(kind.serves * (0.5 + served.number())) : null,
    operationStatus: served.chance(0.9) ? (served.chance(0.97) ? "Operational" : "Under Construction") : null,
    connectivityPresent: asked ? connected : null,
    connectivityType: asked && connected ? pick(connectivityTypes) : null,
    connectivityDetails:
      asked && connected && chance(0.4)
        ? pick(["Shared with the district office", "Slow in the rains", "Paid by the partner"])
        : null,
    mobileCoverage: asked ? covered : null,
    mobileProvider: asked && covered ? pick(connectivityProviders) : null,
    serviceAreas: offered.length > 0 ? offered : ["OPD"],
  };
}

export function createFacilities(provinces: DemoProvince[]): DemoFacility[] {
  const districts = provinces.flatMap((province) => province.districts.map((name) => ({ province, name })));
  return districts.flatMap(({ province, name }, index) =>
    kinds.map((_kind, place) => createFacility(province, { name, number: index + 1 }, place)),
  );
}
