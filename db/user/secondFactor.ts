import { sql } from "kysely";

import type { Handle } from "../engine/connect.ts";

/** A person's second factor: the secret of their authenticator app, and their recovery codes. */

/** Whether the `app_user` of a query has an active second factor. */
export const hasSecondFactor = sql<boolean>`exists(
  select from second_factor factor where factor.user_uuid = app_user.user_uuid and factor.confirmed_at is not null)`;

/** The state of an active second factor. */
export function findSecondFactor(handle: Handle, { userUuid }: { userUuid: string }) {
  return handle
    .selectFrom("secondFactor")
    .select([
      sql<string>`to_char(confirmed_at, 'YYYY-MM-DD')`.as("sinceDate"),
      sql<number>`(select count(*) from recovery_code code where code.user_uuid = second_factor.user_uuid and code.used_at is null)`.as(
        "recoveryCodesLeft",
      ),
    ])
    .where("userUuid", "=", userUuid)
    .where("confirmedAt", "is not", null)
    .executeTakeFirst();
}

/** Which of these people have an active second factor; others are missing from the map. */
export async function listHolders(
  handle: Handle,
  { userUuids }: { userUuids: readonly string[] },
): Promise<Map<string, boolean>> {
  const rows = await handle
    .selectFrom("secondFactor")
    .select("userUuid")
    .where("userUuid", "in", userUuids)
    .where("confirmedAt", "is not", null)
    .execute();
  return new Map(rows.map(({ userUuid }) => [userUuid, true]));
}

/**
 * The secret to check codes with: of an active second factor, or (`begunMinutes`) of a setup that began at most so many
 * minutes ago.
 */
export async function findSecret(
  handle: Handle,
  { userUuid, begunMinutes }: { userUuid: string; begunMinutes?: number },
): Promise<Buffer | undefined> {
  const isMeant =
    begunMinutes === undefined
      ? sql<boolean>`confirmed_at is not null`
      : sql<boolean>`confirmed_at is null and begun_at > now() - make_interval(mins => ${begunMinutes})`;
  return (
    await handle
      .selectFrom("secondFactor")
      .select("secret")
      .where("userUuid", "=", userUuid)
      .where(isMeant)
      .executeTakeFirst()
  )?.secret;
}

/** Begins a setup, which replaces an earlier one. False if a second factor is active already. */
export async function upsertSecret(
  handle: Handle,
  { userUuid, secret }: { userUuid: string; secret: Buffer },
): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factor (user_uuid, secret) values (${userUuid}, ${secret})
    on conflict (user_uuid) do update set secret = excluded.secret, begun_at = now() where second_factor.confirmed_at is null
    returning 1`.execute(handle);
  return rows.length > 0;
}

/**
 * Activates the setup with this secret, and uses up the code of this time step. False if there is no such setup any
 * more.
 */
export async function updateConfirmed(
  handle: Handle,
  { userUuid, secret, step }: { userUuid: string; secret: Buffer; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set confirmed_at = now(), last_step = ${step}
    where user_uuid = ${userUuid} and secret = ${secret} and confirmed_at is null returning 1`.execute(handle);
  return rows.length > 0;
}

/** Uses up the codes of this time step and earlier ones. False if they were used before, on any gateway. */
export async function updateLastStep(
  handle: Handle,
  { userUuid, secret, step }: { userUuid: string; secret: Buffer; step: number },
): Promise<boolean> {
  const { rows } = await sql`
    update second_factor set last_step = ${step}
    where user_uuid = ${userUuid} and secret = ${secret} and confirmed_at is not null and last_step < ${step} returning 1`.execute(
    handle,
  );
  return rows.length > 0;
}

/** Uses up a recovery code. False if it does not exist or was used. */
export async function updateCodeUsed(
  handle: Handle,
  { userUuid, codeHash }: { userUuid: string; codeHash: string },
): Promise<boolean> {
  const { rows } = await sql`
    update recovery_code set used_at = now() where user_uuid = ${userUuid} and code_hash = ${codeHash} and used_at is null returning 1`.execute(
    handle,
  );
  return rows.length > 0;
}

/** Replaces all recovery codes of a person. */
export async function updateCodes(
  handle: Handle,
  { userUuid, codeHashes }: { userUuid: string; codeHashes: string[] },
): Promise<void> {
  await handle.deleteFrom("recoveryCode").where("userUuid", "=", userUuid).execute();
  await handle
    .insertInto("recoveryCode")
    .values(codeHashes.map((codeHash) => ({ userUuid, codeHash })))
    .execute();
}

/** Removes a second factor and its recovery codes. False if none was active. */
export async function deleteSecondFactor(handle: Handle, { userUuid }: { userUuid: string }): Promise<boolean> {
  const rows = await handle
    .deleteFrom("secondFactor")
    .where("userUuid", "=", userUuid)
    .returning("confirmedAt")
    .execute();
  return rows.some(({ confirmedAt }) => confirmedAt !== null);
}
