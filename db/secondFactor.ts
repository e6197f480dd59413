import { sql } from "kysely";

import type { Handle } from "./engine/connect.ts";

/** A person's second factor: the secret of their authenticator app, and their recovery codes. */

/** Of `app_user`: whether a second factor is switched on. */
export const hasSecondFactor = sql<boolean>`exists(
  select from second_factor factor where factor.user_uuid = app_user.user_uuid and factor.confirmed_at is not null)`;

/** What there is to tell of a second factor that is switched on. */
export function findSecondFactor(handle: Handle, { userUuid }: { userUuid: string }) {
  return handle
    .selectFrom("secondFactor")
    .select([
      sql<string>`to_char(confirmed_at, 'YYYY-MM-DD')`.as("sinceDate"),
      sql<number>`(select count(*) from recovery_code code where code.user_uuid = second_factor.user_uuid and code.used_at is null)`.as("recoveryCodesLeft"),
    ])
    .where("userUuid", "=", userUuid)
    .where("confirmedAt", "is not", null)
    .executeTakeFirst();
}

/** Which of these people have a second factor switched on. */
export async function listHolders(handle: Handle, { userUuids }: { userUuids: readonly string[] }): Promise<Map<string, boolean>> {
  const rows = await handle.selectFrom("secondFactor").select("userUuid").where("userUuid", "in", userUuids).where("confirmedAt", "is not", null).execute();
  return new Map(rows.map(({ userUuid }) => [userUuid, true]));
}

/** The secret that codes are looked at with: of a second factor that is switched on, or of one that was begun so many minutes ago at most. */
export async function findSecret(handle: Handle, { userUuid, begunMinutes }: { userUuid: string; begunMinutes?: number }): Promise<Buffer | undefined> {
  const isMeant =
    begunMinutes === undefined
      ? sql<boolean>`confirmed_at is not null`
      : sql<boolean>`confirmed_at is null and begun_at > now() - make_interval(mins => ${begunMinutes})`;
  return (await handle.selectFrom("secondFactor").select("secret").where("userUuid", "=", userUuid).where(isMeant).executeTakeFirst())?.secret;
}

/** Begins to set one up, in the place of one that was begun before; false where one is switched on already. */
export async function upsertSecret(handle: Handle, { userUuid, secret }: { userUuid: string; secret: Buffer }): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factor (user_uuid, secret) values (${userUuid}, ${secret})
    on conflict (user_uuid) do update set secret = excluded.secret, begun_at = now() where second_factor.confirmed_at is null
    returning 1`.execute(handle);
  return rows.length > 0;
}

/** Switches on the one that was begun with this secret, by a code of this step; false where there is none such any more. */
export async function updateConfirmed(handle: Handle, { userUuid, secret, step }: { userUuid: string; secret: Buffer; step: number }): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set confirmed_at = now(), last_step = ${step}
    where user_uuid = ${userUuid} and secret = ${secret} and confirmed_at is null returning 1`.execute(handle);
  return rows.length > 0;
}

/** Uses up a code of this step and those of earlier ones; false where that was done already, on whichever gateway. */
export async function updateLastStep(handle: Handle, { userUuid, secret, step }: { userUuid: string; secret: Buffer; step: number }): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set last_step = ${step}
    where user_uuid = ${userUuid} and secret = ${secret} and confirmed_at is not null and last_step < ${step} returning 1`.execute(handle);
  return rows.length > 0;
}

/** Uses up a recovery code; false where there is none such, or it was used. */
export async function updateCodeUsed(handle: Handle, { userUuid, codeHash }: { userUuid: string; codeHash: string }): Promise<boolean> {
  const { rows } = await sql`
    update recovery_code set used_at = now() where user_uuid = ${userUuid} and code_hash = ${codeHash} and used_at is null returning 1`.execute(handle);
  return rows.length > 0;
}

/** Gives a person new recovery codes in the place of all former ones. */
export async function updateCodes(handle: Handle, { userUuid, codeHashes }: { userUuid: string; codeHashes: string[] }): Promise<void> {
  await handle.deleteFrom("recoveryCode").where("userUuid", "=", userUuid).execute();
  await handle.insertInto("recoveryCode").values(codeHashes.map((codeHash) => ({ userUuid, codeHash }))).execute();
}

/** Takes a second factor away, with its recovery codes; false where none was switched on. */
export async function deleteSecondFactor(handle: Handle, { userUuid }: { userUuid: string }): Promise<boolean> {
  const rows = await handle.deleteFrom("secondFactor").where("userUuid", "=", userUuid).returning("confirmedAt").execute();
  return rows.some(({ confirmedAt }) => confirmedAt !== null);
}
