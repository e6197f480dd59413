import { v7 } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";

import { worklistKinds } from "../../db/situation/state.rules.ts";
import { expectCountsHold } from "../derived/countsHold.ts";
import { diceFrom } from "../dash/dash-data.ts";
import { sampleFacility, type SampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf, type Person, testGateway, type TestGateway } from "../support/gateway.ts";
import { formOf, sendForm, tdbxOf } from "../support/tdbx.ts";
import { presentActions, slowActions } from "./action-recount.ts";

/** Actions that close by themselves, in random histories: after each change they are as a slow recount finds them. */

let gateway: TestGateway;
let [admin, assessor, uploader]: Person[] = [];
let site: SampleFacility;
beforeAll(async () => {
  gateway = await testGateway();
  [admin, assessor, uploader] = await Promise.all(["admin", "assessor", "uploader"].map((login) => gateway.as(login)));
  site = await sampleFacility(gateway.db, 3);
});
afterAll(() => gateway.stop());

const before = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

test("after visits, corrections, TDBs, and records held, accepted and set aside, actions are open or closed as a slow recount finds them", async () => {
  const dice = diceFrom(405);
  const { facilityUuid } = site;
  // About entries of all kinds, agreed at several times.
  for (const kind of [...worklistKinds, ...worklistKinds, ...worklistKinds])
    await gateway.sql`
      insert into action (action_uuid, facility_uuid, text, responsible, due_day, origin, kind, wanted_version, user_uuid, agreed_at, evidence_after)
      select ${v7()}, ${facilityUuid}, 'Mend it', 'Ruth', current_date, 'worklist', ${kind}, '4.3.1', user_uuid, given.at, given.at
      from app_user, (select now() - ${dice.upTo(50)} * interval '1 day' as at) as given where user_name = 'assessor'`;
  const visits: { assessmentUuid: string; version: number; isAside: boolean }[] = [];
  const answers = () => ({
    // Some of them are held, because they come by REST.
    numberOfStaffTrainedInSmartCare: dice.oneOf([7, 9, 12, 15, 9771]),
    smartCareFunctional: dice.oneOf([true, false, null]),
    primaryPowerWorking: dice.oneOf([true, false, null]),
    libraryVersion: dice.oneOf(["4.2.9", "4.3", "4.3.1", "4.10", "unknown", null]),
  });
  let accepted = 0;
  const steps = [
    async () => {
      const body = visit(site, { assessmentUuid: v7(), assessedAt: before(dice.upTo(55)), ...answers() });
      const made = await assessor!.call("POST", "/api/v1/assessment", body);
      expect(made.status).toBe(200);
      visits.push({ assessmentUuid: body.assessmentUuid, version: 1, isAside: false });
    },
    async () => {
      const one = dice.oneOf(visits);
      const body = { assessmentUuid: one.assessmentUuid, version: one.version, ...answers() };
      const changed = await assessor!.call("PATCH", "/api/v1/assessment", body);
      expect(changed.status).toBe(200);
      one.version = bodyOf<{ version: number }>(changed).version;
    },
    async () => {
      const one = dice.oneOf(visits);
      const verb = one.isAside ? "restoreAssessment" : "setAssessmentAside";
      one.isAside = !one.isAside;
      const { data } = await admin!.graphql(
        `mutation ($input: SetAssessmentAsideInput!) { ${verb}(input: $input) { errors { message } } }`,
        { input: { assessmentUuid: one.assessmentUuid, reason: "By the dice" } },
      );
      expect(data[verb].errors).toEqual([]);
    },
    async () => {
      const totalPatients = dice.oneOf([1100, 1200, 1300, 2_000_000]);
      const content = tdbxOf(facilityUuid, { totalPatients, createdAt: before(dice.oneOf([0.01, 20, 40, 90])) });
      const sent = await sendForm(gateway.url, "/api/v1/tdb", uploader!, formOf([{ name: "a.tdbx", content }]));
      expect(sent.status).toBe(200);
    },
    async () => {
      const rows = await gateway.sql<{ uuid: string; isAside: boolean }>`
        select tdb_uuid as uuid, set_aside_at is not null as is_aside from tdb where facility_uuid = ${facilityUuid} order by uploaded_at desc limit 3`;
      const one = dice.oneOf(rows);
      const verb = one.isAside ? "restoreTdb" : "setTdbAside";
      const { data } = await admin!.graphql(
        `mutation ($input: SetTdbAsideInput!) { ${verb}(input: $input) { errors { message } } }`,
        { input: { uuid: one.uuid, reason: "By the dice" } },
      );
      expect(data[verb].errors).toEqual([]);
    },
    async () => {
      const rows = await gateway.sql<{ verb: string; type: string; input: object }>`
        select 'acceptAssessment' as verb, 'AcceptAssessmentInput' as type, json_build_object('assessmentUuid', assessment_uuid) as input
        from assessment where facility_uuid = ${facilityUuid} and held is not null
        union all select 'acceptTdb', 'AcceptTdbInput', json_build_object('uuid', tdb_uuid)
        from tdb where facility_uuid = ${facilityUuid} and held is not null order by 1, 2`;
      if (rows.length === 0) return;
      const { verb, type, input } = dice.oneOf(rows);
      const { data } = await admin!.graphql(
        `mutation ($input: ${type}!) { ${verb}(input: $input) { errors { message } } }`,
        { input },
      );
      expect(data[verb].errors).toEqual([]);
      accepted += 1;
    },
  ];
  await steps[0]!();
  let closings = 0;
  for (let step = 0; step < 70; step += 1) {
    await dice.oneOf([...steps, steps[0]!])();
    const present = await presentActions(gateway.db, facilityUuid);
    expect(present).toEqual(await slowActions(gateway.db, facilityUuid));
    closings += present.filter(({ evidenceUuid }) => evidenceUuid !== null).length;
  }
  expect(closings).toBeGreaterThan(50);
  expect(accepted).toBeGreaterThan(2);
  await expectCountsHold(gateway.db);
});
