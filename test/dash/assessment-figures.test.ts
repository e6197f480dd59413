import { sql } from "kysely";
import { expect, test, vi } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { diceFrom, modes } from "./dash-data.ts";
import { facilitiesIn, readEverything, recountRows } from "./dash-recount.ts";
import { patience } from "../support/patience.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { isShort } from "../support/short.ts";
import { inZone } from "../support/zone.ts";

/**
 * A saved assessment changes the dashboards' figures at once, and only latest visits count. Checked against a slow
 * recount.
 */

const gateway = await gatewayOfFile();

const zone = "Africa/Lusaka";
const years = [new Date().getUTCFullYear(), new Date().getUTCFullYear() + 1];
const views = ["monthly", "quarterly"];

/** The charts of a district or, without one, of the country; of one partner's facilities or (-1) of all. */
const figures = async (districtId?: number, partner = -1) => {
  const plain = await gateway.as("plain");
  const place = districtId === undefined ? "" : `/district/${districtId}`;
  const answers = years.flatMap((year) =>
    views.map(
      async (view) =>
        (await plain.get(`/api/v1/dash/functionalityComparison${place}/${year}/-1/${partner}?view=${view}`)).body,
    ),
  );
  return Promise.all(answers);
};
const recount = async (districtId?: number, partner = -1) => {
  const everything = await readEverything(gateway.db, zone);
  const scope = { districtId: districtId ?? null, implementingPartnerId: partner === -1 ? null : partner };
  return years.flatMap((year) => views.map((view) => recountRows(everything, { year, quarter: -1, view, scope })));
};

/** The country's summary sheet, and its counts made from the assessments themselves. */
async function sheets() {
  const plain = await gateway.as("plain");
  const { body } = await plain.get("/api/v1/dash/summarySheet");
  const since = (span: string) =>
    sql`count(*) filter (where day <= current_date and day > (current_date - ${span}::interval)::date)`;
  const rows = await gateway.sql`
    select ${since("7 days")} as "pastWeekTotal", ${since("1 month")} as "pastMonthTotal", ${since("3 months")} as "pastQuarterTotal"
    from (select (assessed_at at time zone ${zone})::date as day from assessment) as visits`;
  return { sheet: body, counted: rows[0] };
}

test("the figures equal a recount after each of many random saves of visits of today and past days, in two time zones of the process", async () => {
  const dice = diceFrom(20_261_121);
  const facilities = await Promise.all([0, 1, 2].map((skip) => sampleFacility(gateway.db, skip)));
  const people = await Promise.all(["assessor", "admin"].map((login) => gateway.as(login)));
  const answer = () => dice.oneOf([true, false, null]);
  const random = () => ({
    functionalityStatusMode: dice.oneOf(modes),
    numberOfStaffTrainedInSmartCare: dice.upTo(30),
    primaryPower: answer(),
    primaryPowerWorking: answer(),
    backupPower: answer(),
    backupPowerWorking: answer(),
    smartCareFunctional: answer(),
  });
  const pastTime = () => new Date(Date.now() - 1000 * dice.upTo(59 * 86_400)).toISOString();
  let moved = 0;
  const saveOnce = async () => {
    const facility = dice.oneOf(facilities);
    const known = await gateway.sql<{ assessmentUuid: string; version: number }>`
      select assessment_uuid, version from assessment where facility_uuid = ${facility.facilityUuid} order by assessed_at desc`;
    const { districtId } = await gateway.db
      .selectFrom("facility")
      .select("districtId")
      .where("facilityUuid", "=", facility.facilityUuid)
      .executeTakeFirstOrThrow();
    const before = await figures(districtId);
    const chosen = dice.upTo(3) === 0 ? undefined : dice.oneOf(known);
    const person = dice.oneOf(people);
    const saved = chosen
      ? await person.call("PATCH", "/api/v1/assessment", { ...chosen, ...random() })
      : await person.call(
          "POST",
          "/api/v1/assessment",
          visit(facility, { ...random(), ...(dice.upTo(2) ? { assessedAt: pastTime() } : {}) }),
        );
    expect(saved.status).toBe(200);
    const after = await figures(districtId);
    expect(after).toEqual(await recount(districtId));
    const { sheet, counted } = await sheets();
    expect(sheet).toMatchObject(counted as object);
    if (JSON.stringify(after) !== JSON.stringify(before)) moved += 1;
  };
  for (let round = 0; round < (isShort ? 20 : 50); round += 1)
    await inZone(round % 2 === 0 ? "Africa/Lusaka" : "UTC", saveOnce);
  expect(moved).toBeGreaterThan(5);

  // A facility's figures move with it to another partner.
  const assessor = await gateway.as("assessor");
  const partners = await gateway.db
    .selectFrom("implementingPartner")
    .select("implementingPartnerId")
    .where("active", "=", true)
    .execute();
  const ids = partners.map(({ implementingPartnerId }) => implementingPartnerId);
  for (const { facilityUuid } of [...facilities, ...facilities]) {
    const implementingPartnerId = dice.oneOf([...ids, null]);
    const path = `/api/v1/facility/settings/${facilityUuid}`;
    expect((await assessor.call("PATCH", path, { implementingPartnerId })).body).toMatchObject({
      implementingPartnerId,
    });
  }
  for (const partner of ids) expect(await figures(undefined, partner)).toEqual(await recount(undefined, partner));

  expect(await figures()).toEqual(await recount());
  const everything = await readEverything(gateway.db, zone);
  for (const { facilityUuid, functionalityStatusMode } of facilitiesIn(everything, {})) {
    const visits = everything.assessments.filter((row) => row.facilityUuid === facilityUuid);
    const last = visits.toSorted((a, b) =>
      `${a.local}${a.assessmentUuid}` < `${b.local}${b.assessmentUuid}` ? 1 : -1,
    )[0];
    expect(functionalityStatusMode).toBe(last?.functionalityStatusMode ?? null);
  }
});

test("concurrent saves at one facility are all accepted, and the figures equal a recount", async () => {
  const facility = await sampleFacility(gateway.db, 5);
  const person = await gateway.as("assessor");
  const saves = Array.from({ length: 12 }, (_, index) =>
    person.call(
      "POST",
      "/api/v1/assessment",
      visit(facility, {
        functionalityStatusMode: modes[index % modes.length]!,
        numberOfStaffTrainedInSmartCare: index,
      }),
    ),
  );
  expect((await Promise.all(saves)).map(({ status }) => status)).toEqual(saves.map(() => 200));
  expect(await figures()).toEqual(await recount());
});

const isWaiting = async () => {
  const rows = await gateway.sql<{ waiting: boolean }>`select exists (
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waiting`;
  expect(rows[0]!.waiting).toBe(true);
};

test("a save that PostgreSQL rolled back because of a deadlock is repeated", async () => {
  const facility = await sampleFacility(gateway.db, 6);
  const person = await gateway.as("assessor");
  // Each waits for a lock of the other. This transaction never checks for a deadlock, so PostgreSQL rolls back the
  // save.
  const save = await gateway.db.transaction().execute(async (other) => {
    await sql`set local deadlock_timeout = '1h'`.execute(other);
    await sql`lock table assessment_rollup in exclusive mode`.execute(other);
    const answer = person.call("POST", "/api/v1/assessment", visit(facility));
    await vi.waitFor(isWaiting, { timeout: patience, interval: 20 });
    await sql`select from facility where facility_uuid = ${facility.facilityUuid} for update`.execute(other);
    return { answer };
  });
  const { status } = await save.answer;
  expect(status).toBe(200);
  expect(await figures()).toEqual(await recount());
});

test("a change of an assessment that was deleted while the change waited returns 404", async () => {
  const facility = await sampleFacility(gateway.db, 7);
  const person = await gateway.as("assessor");
  const { body } = await person.call("POST", "/api/v1/assessment", visit(facility));
  const { assessmentUuid, version } = body as { assessmentUuid: string; version: number };
  const change = await gateway.db.transaction().execute(async (other) => {
    await sql`select from facility where facility_uuid = ${facility.facilityUuid} for update`.execute(other);
    await sql`delete from assessment where assessment_uuid = ${assessmentUuid}`.execute(other);
    const answer = person.call("PATCH", "/api/v1/assessment", { assessmentUuid, version, closingComments: "Too late" });
    await vi.waitFor(isWaiting, { timeout: patience, interval: 20 });
    return { answer };
  });
  const { status, body: problem } = await change.answer;
  expect([status, problem]).toEqual([404, expect.objectContaining({ detail: "There is no such assessment." })]);
});
