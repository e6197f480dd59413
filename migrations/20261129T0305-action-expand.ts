import { type Kysely, sql } from "kysely";

/**
 * Actions: what was agreed to mend something at a site. Evidence (a visit or a TDB) that is later than `evidence_after`
 * closes an action about an entry of the work list by itself: then nobody has closed it, and the evidence is named. The
 * feed of changes tells of actions too.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table action (
      action_uuid uuid primary key,
      facility_uuid text collate "C" not null references facility on delete cascade on update cascade,
      text text not null check (length(text) between 1 and 500),
      responsible text check (length(responsible) between 1 and 128),
      implementing_partner_id integer references implementing_partner on delete set null,
      due_day date not null,
      origin text not null check (origin in ('visit', 'worklist', 'hand')),
      assessment_uuid uuid references assessment on delete set null,
      kind text check (kind in ('stopped', 'lostPower', 'silent', 'oldVersion', 'notVisited')),
      wanted_version text check (length(wanted_version) <= 64),
      user_uuid uuid not null references app_user,
      agreed_at timestamptz not null,
      evidence_after timestamptz not null,
      state text not null default 'open' check (state in ('open', 'done', 'dropped')),
      closed_at timestamptz,
      closed_by uuid references app_user,
      reason text check (length(reason) between 1 and 500),
      closing_assessment_uuid uuid references assessment on delete set null,
      closing_tdb_uuid uuid references tdb on delete set null,
      version integer not null default 1,
      check ((origin = 'worklist') = (kind is not null)),
      check (assessment_uuid is null or origin = 'visit'),
      check ((state = 'open') = (closed_at is null))
    )`.execute(db);
  await sql`create index action_of_facility on action (facility_uuid, ((state <> 'open')::integer), due_day, action_uuid)`.execute(
    db,
  );
  await sql`create index action_by_due_day on action (((state <> 'open')::integer), due_day, action_uuid)`.execute(db);
  await sql`create index action_of_assessment on action (assessment_uuid) where assessment_uuid is not null`.execute(
    db,
  );
  await sql`create index action_of_partner on action (implementing_partner_id) where implementing_partner_id is not null`.execute(
    db,
  );
  await sql`create index action_of_user on action (user_uuid)`.execute(db);
  await sql`create index action_closed_by on action (closed_by) where closed_by is not null`.execute(db);
  await sql`create index action_closing_assessment on action (closing_assessment_uuid) where closing_assessment_uuid is not null`.execute(
    db,
  );
  await sql`create index action_closing_tdb on action (closing_tdb_uuid) where closing_tdb_uuid is not null`.execute(
    db,
  );
  await sql`alter table change drop constraint change_kind_check`.execute(db);
  await sql`
    alter table change add constraint change_kind_check check (kind in (
      'facility', 'facilitySettings', 'facilityConnectivity', 'assessment', 'tdb', 'province', 'district', 'implementingPartner', 'user', 'download', 'target',
      'release', 'rollout', 'action'))`.execute(db);
}
