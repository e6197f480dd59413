import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { sql } from "kysely";
import { v7 as uuidv7 } from "uuid";

import type { Database } from "../../db/engine/connect.ts";
import { insertUser } from "../../db/user/user.ts";
import { privilegeNames } from "../../gateway/access/access.rules.ts";
import { hashPassword } from "../../gateway/auth/password.ts";
import { connectivityProviders, connectivityTypes, serviceAreas } from "../../gateway/demo/demo.facilities.ts";
import { firstNames, partners, surnames } from "../../gateway/demo/demo.people.ts";
import { provinces } from "../../gateway/demo/demo.places.ts";
import { positionWithin } from "../../gateway/demo/demo.positions.ts";
import { uuidOf } from "../../gateway/demo/demo.random.ts";
import type { Kind } from "../../gateway/reference/load/load.rules.ts";
import { loadLists, type Source } from "../../gateway/registry/load/load.ts";

/**
 * The country without its history: places, facilities, partners, lists and people, loaded with the product's own load
 * command.
 */

export const password = "bench-password";
/** The administrator who asks all questions. */
export const asker = "bench-asker";
const people = 24;

/** As many as in the real list. */
const madeUpFacilities = 3311;
const towns = [
  "Lunga",
  "Mwanza",
  "Chisanga",
  "Kalomo",
  "Ndeke",
  "Mulungushi",
  "Katuba",
  "Nakonde",
  "Simoonga",
  "Lukanga",
  "Chitemene",
  "Mapanza",
];
const kindsOfFacility = ["Health Post", "Rural Health Centre", "Urban Health Centre", "Level 1 Hospital"];

/** A list of made-up facilities as CSV, the same each time. */
function madeUpList(): string {
  const districts = provinces.flatMap(({ name, districts: names }) =>
    names.map((district) => ({ province: name, district })),
  );
  const rows = Array.from({ length: madeUpFacilities }, (_, index) => {
    const { province, district } = districts[index % districts.length]!;
    const name = `${towns[(index * 7) % towns.length]} ${district} ${index} ${kindsOfFacility[index % 9 === 0 ? index % 4 : index % 2]}`;
    const { latitude, longitude } = positionWithin(province, district, (index % 100) / 100, (index % 90) / 90);
    return [
      uuidOf(`bench facility ${index}`),
      20_000_000 + index,
      name,
      province,
      district,
      "GRZ",
      latitude,
      longitude,
    ].join(",");
  });
  return `uuid,hmisCode,name,province,district,ownership,latitude,longitude\n${rows.join("\n")}\n`;
}

const csvOf = (header: string, rows: readonly string[]) => `${header}\n${rows.join("\n")}\n`;
const versions = ["4.10.2", "4.12.0", "4.13.1", "5.0.0"].map((version, index) => `${version},${index + 11}.0`);

async function writeLists(folder: string, facilities: string | undefined): Promise<Source[]> {
  const write = async (kind: Kind, text: string): Promise<Source> => {
    const file = join(folder, `${kind}.csv`);
    await writeFile(file, text);
    return { kind, file };
  };
  return [
    await write(
      "partners",
      csvOf("name", [
        ...partners.map(({ name }) => name),
        ...Array.from({ length: 6 }, (_, index) => `Partner ${index + 6}`),
      ]),
    ),
    await write("serviceAreas", csvOf("name", serviceAreas)),
    await write("versions", csvOf("libraryVersion,databaseVersion", versions)),
    await write("connectivityTypes", csvOf("name", connectivityTypes)),
    await write("connectivityProviders", csvOf("name", connectivityProviders)),
    facilities ? { kind: "facilities", file: facilities } : await write("facilities", madeUpList()),
  ];
}

async function addPeople(db: Database): Promise<void> {
  const passwordHash = await hashPassword(password);
  const allowed = Object.fromEntries(privilegeNames.map((name) => [name, true]));
  for (let index = 0; index < people; index += 1) {
    const userName = index === 0 ? asker : `bench-${index}`;
    await insertUser(db, {
      ...(index === 0 ? allowed : {}),
      userUuid: uuidv7(),
      userName,
      firstName: firstNames[index % firstNames.length]!,
      surname: surnames[index % surnames.length]!,
      gender: "U",
      primaryEmail: `${userName}@bench.example`,
      primaryPhoneNumber: "0970000000",
      implementingPartnerId: 1,
      passwordHash,
      passwordTemporary: false,
    });
  }
}

/** What no public list holds: who supports a facility, how it is connected, and where in it the system is used. */
async function furnish(db: Database): Promise<void> {
  await sql`
    update facility set
      implementing_partner_id = case when place % 8 > 0 then (select min(implementing_partner_id) from implementing_partner) + place % 12 end,
      connectivity_present = place % 3 > 0,
      connectivity_type_id = case when place % 3 > 0 then (select min(connectivity_type_id) from connectivity_type) + place % 5 end,
      connectivity_details = case when place % 3 > 1 then 'Router in the registry' end,
      mobile_coverage = place % 5 > 0,
      mobile_provider_id = case when place % 5 > 0 then (select min(connectivity_provider_id) from connectivity_provider) + place % 3 end
    from (select facility_uuid as uuid, (row_number() over (order by facility_name, district_id, hmis_code))::int as place from facility) as places
    where facility_uuid = uuid`.execute(db);
  await sql`
    insert into facility_service_area (facility_uuid, service_area_id)
    select facility_uuid, service_area_id
    from (select facility_uuid, row_number() over (order by facility_name, district_id, hmis_code) as place from facility) as facility
    cross join (select service_area_id, row_number() over (order by service_area_id) as number from service_area) as area
    where (place + number) % 3 > 0 and number <= 3 + place % 8`.execute(db);
}

/** Loads the country into an empty database. @throws Error where a list is refused */
export async function loadCountry(db: Database, facilities: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bench-lists-"));
  try {
    const { outcome, errors } = await loadLists(db, {
      sources: await writeLists(folder, facilities),
      dryRun: false,
      by: "bench",
    });
    if (outcome !== "loaded") throw new Error(`The lists were refused: ${JSON.stringify(errors.slice(0, 3))}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await addPeople(db);
  // Otherwise the triggers' joins are planned as for an empty table.
  await sql`analyze`.execute(db);
  await furnish(db);
}
