import { v7 as uuidv7 } from "uuid";

import type { Handle } from "../../db/engine/connect.ts";
import type { PageInput } from "../../db/list/page.ts";
import type { ServiceAccountRow } from "../../db/machine/serviceAccount.ts";
import * as db from "../../db/machine/serviceAccount.ts";
import * as tokens from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { insertUser, lockUser, Taken, updateUser } from "../../db/user/user.ts";
import { deny, requireRight, requireSession } from "../access/access.ts";
import { noPrivileges } from "../access/access.rules.ts";
import { recordAudit } from "../audit/audit.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { mostTokens } from "../auth/account.rules.ts";
import { hashToken } from "../auth/auth.ts";
import { checkExpiry, makeSecret } from "../auth/token.ts";
import { batched } from "../reading/batch.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";
import { invalid, notFound, Problem, refuseChanged } from "../problem.ts";
import { checkScope, type Scope } from "../reference/reference.ts";
import {
  echoedAccountNames,
  type NewServiceAccount,
  type NewServiceToken,
  type ServicePrivilege,
  servicePrivileges,
  type UpdateServiceAccount,
} from "./serviceAccount.rules.ts";

/**
 * Acts on service accounts, shared by REST and GraphQL, for administrators. Secrets can be made in a session only, not
 * with a token.
 */

export type { ServiceAccountRow } from "../../db/machine/serviceAccount.ts";

const subjectOf = (userUuid: string) => ({ type: "ServiceAccount", id: userUuid.toLowerCase() });

/** The privileges of an account, by name. */
export const privilegesOf = (account: ServiceAccountRow): ServicePrivilege[] =>
  servicePrivileges.filter((name) => account[name]);

const shown = (account: ServiceAccountRow) => ({
  name: account.name,
  owner: account.owner,
  privileges: privilegesOf(account),
  provinceId: account.provinceId,
  districtId: account.districtId,
  implementingPartnerId: account.implementingPartnerId,
});

/** All service accounts by name, ended ones too. @throws Problem FORBIDDEN */
export async function listServiceAccounts(context: Context, { page }: { page: PageInput }) {
  requireRight(context, "manageMachines");
  return db.listServiceAccounts(context.db, { page });
}

const loadTokens = batched<string, tokens.TokenRow[]>(
  (context, userUuids) => tokens.listTokensOfUsers(context.primary, { userUuids }),
  () => [],
);

/** A token as it is answered: it always has the present privileges of its account. */
const tokenOf = (account: ServiceAccountRow, token: tokens.TokenRow): tokens.TokenRow => ({
  ...token,
  privileges: privilegesOf(account),
});

/**
 * An account's tokens, the newest first, ended ones too. Requests for several accounts are batched.
 *
 * @throws Problem FORBIDDEN
 */
export async function listServiceTokens(context: Context, account: ServiceAccountRow): Promise<tokens.TokenRow[]> {
  requireRight(context, "manageMachines");
  return (await loadTokens(context, account.userUuid)).map((token) => tokenOf(account, token));
}

/** @throws Problem FORBIDDEN, NOT_FOUND */
export async function readServiceAccount(context: Context, userUuid: string): Promise<ServiceAccountRow> {
  requireRight(context, "manageMachines");
  const account = isUuid(userUuid) ? await db.findServiceAccount(context.db, { userUuid }) : undefined;
  if (!account) throw notFound("service account", "uuid");
  return account;
}

/** Finds and locks the account that will be changed. @throws Problem FORBIDDEN, NOT_FOUND */
async function lockAccount(
  context: Context,
  transaction: Handle,
  action: AuditAction,
  userUuid: string,
): Promise<ServiceAccountRow> {
  requireRight(context, "manageMachines");
  const missing = () => deny(context, { action, subject: subjectOf(userUuid) }, notFound("service account", "uuid"));
  if (!isUuid(userUuid) || !(await lockUser(transaction, { userUuid }))) throw missing();
  const account = await db.findServiceAccount(transaction, { userUuid });
  if (!account) throw missing();
  return account;
}

/** Refuses to change an account that has ended. @throws Problem CONFLICT */
function requireActive({ active }: ServiceAccountRow): void {
  if (!active) throw new Problem("CONFLICT", "This service account has ended.");
}

async function readOwner(handle: Handle, named: string) {
  const owner = await db.findOwner(handle, { named });
  if (!owner) throw invalid([{ path: "owner", message: "There is no active person with this user name or uuid" }]);
  return owner;
}

async function checkLimit(context: Context, limit: Scope): Promise<void> {
  await checkScope(context, limit).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== "NOT_FOUND") throw error;
    const path = (["provinceId", "districtId"] as const).find((name) => limit[name] != null) ?? "implementingPartnerId";
    throw invalid([{ path, message: error.message }]);
  });
}

async function orTaken<Result>(act: Promise<Result>): Promise<Result> {
  try {
    return await act;
  } catch (error) {
    throw error instanceof Taken ? invalid([{ path: "name", message: "This name is taken" }]) : error;
  }
}

const flagsOf = (names: readonly ServicePrivilege[]) =>
  Object.fromEntries(servicePrivileges.map((name) => [name, names.includes(name)])) as Record<
    ServicePrivilege,
    boolean
  >;

const limitIn = ({ provinceId, districtId, implementingPartnerId }: Scope) => ({
  provinceId: provinceId ?? null,
  districtId: districtId ?? null,
  implementingPartnerId: implementingPartnerId ?? null,
});

/** Creates a service account. @throws Problem FORBIDDEN, INVALID */
export async function createServiceAccount(
  context: Context,
  { name, owner: named, privileges, ...scope }: NewServiceAccount,
): Promise<ServiceAccountRow> {
  requireRight(context, "manageMachines");
  const owner = await readOwner(context.primary, named);
  const limit = limitIn(scope);
  await checkLimit(context, limit);
  const userUuid = uuidv7();
  const account = {
    ...{
      ...noPrivileges,
      ...flagsOf(privileges),
      userUuid,
      kind: "service",
      userName: name,
      firstName: "Service account",
      surname: name,
      gender: "U",
    },
    // A service account has no e-mail address and no telephone: these columns are for people.
    ...{ primaryEmail: userUuid, primaryPhoneNumber: "", passwordHash: "", passwordTemporary: false },
    implementingPartnerId: owner.implementingPartnerId,
  };
  return orTaken(
    transact(context.db, async (transaction) => {
      await insertUser(transaction, account);
      await db.insertServiceAccount(transaction, { userUuid, ownerUuid: owner.userUuid, ...limit });
      const made = (await db.findServiceAccount(transaction, { userUuid }))!;
      const event = { action: "service-account.create", outcome: "done", subject: subjectOf(userUuid) } as const;
      await recordAudit(context, { ...event, details: { new: shown(made) } }, transaction);
      return made;
    }),
  );
}

/**
 * Changes an account's name, privileges, limit and owner. A field that is not given is not changed.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT
 */
export async function updateServiceAccount(
  context: Context,
  uuid: string,
  { name, owner: named, privileges, provinceId, districtId, implementingPartnerId, ...echoed }: UpdateServiceAccount,
): Promise<ServiceAccountRow> {
  const action = "service-account.update";
  const scope = { provinceId, districtId, implementingPartnerId };
  requireRight(context, "manageMachines");
  const isLimitGiven = Object.values(scope).some((id) => id !== undefined);
  if (isLimitGiven) await checkLimit(context, scope);
  return orTaken(
    transact(context.db, async (transaction) => {
      const old = await lockAccount(context, transaction, action, uuid);
      context.expect?.(old);
      requireActive(old);
      const { userUuid } = old;
      const faults = refuseChanged(echoed, { ...old, uuid: userUuid }, echoedAccountNames);
      if (faults.length > 0) throw invalid(faults);
      // The owner that it has may be sent back, also while that person's account is not active.
      const owner = named === undefined || named === old.owner ? undefined : await readOwner(transaction, named);
      await updateUser(transaction, {
        userUuid,
        ...(name === undefined ? {} : { userName: name, surname: name }),
        ...(privileges ? flagsOf(privileges) : {}),
      });
      await db.updateServiceAccount(transaction, {
        userUuid,
        ownerUuid: owner?.userUuid ?? old.ownerUuid,
        ...limitIn(isLimitGiven ? scope : old),
      });
      const present = (await db.findServiceAccount(transaction, { userUuid }))!;
      const details = { old: shown(old), new: shown(present) };
      await recordAudit(context, { action, outcome: "done", subject: subjectOf(userUuid), details }, transaction);
      return present;
    }),
  );
}

/** Ends an account and its tokens permanently. A second call changes nothing. @throws Problem FORBIDDEN, NOT_FOUND */
export async function endServiceAccount(context: Context, userUuid: string): Promise<ServiceAccountRow> {
  const action = "service-account.end";
  return transact(context.db, async (transaction) => {
    const account = await lockAccount(context, transaction, action, userUuid);
    context.expect?.(account);
    if (!account.active) return account;
    await updateUser(transaction, { userUuid: account.userUuid, active: false });
    const endedTokens = await tokens.updateTokensOfUserRevoked(transaction, account);
    await recordAudit(
      context,
      { action, outcome: "done", subject: subjectOf(userUuid), details: { endedTokens } },
      transaction,
    );
    return { ...account, active: false };
  });
}

/**
 * Creates a token for an account. The secret is returned once; only its hash is stored.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, INVALID, CONFLICT
 */
export async function createServiceToken(
  context: Context,
  { uuid, name, expiryDate, privileges: named }: NewServiceToken & { uuid: string },
): Promise<{ account: ServiceAccountRow; token: tokens.TokenRow; secret: string }> {
  const action = "service-token.create";
  requireRight(context, "manageMachines");
  requireSession(context);
  await checkExpiry(context, expiryDate);
  const secret = makeSecret();
  const tokenUuid = uuidv7();
  return transact(context.db, async (transaction) => {
    const account = await lockAccount(context, transaction, action, uuid);
    requireActive(account);
    const own = privilegesOf(account).join(", ");
    if (named && named.join(", ") !== own)
      throw invalid([
        {
          path: "privileges",
          message: `A token has the privileges of its account: ${own || "none"}. Name just these, or leave them out.`,
        },
      ]);
    const { userUuid } = account;
    if ((await tokens.countLiveTokens(transaction, { userUuid })) >= mostTokens)
      throw invalid([
        { path: "name", message: `It has ${mostTokens} tokens in use. Revoke one before you make another.` },
      ]);
    const privileges = [...servicePrivileges];
    await tokens.insertToken(transaction, {
      tokenUuid,
      userUuid,
      name,
      expiryDate,
      privileges,
      tokenHash: hashToken(secret),
    });
    await recordAudit(
      context,
      { action, outcome: "done", subject: subjectOf(userUuid), details: { tokenUuid, name, expiryDate } },
      transaction,
    );
    const made = (await tokens.findToken(transaction, { userUuid, tokenUuid }))!;
    return { account, token: tokenOf(account, made), secret };
  });
}

/** Revokes an account's token permanently. A second call changes nothing. @throws Problem FORBIDDEN, NOT_FOUND */
export async function revokeServiceToken(
  context: Context,
  { uuid, tokenUuid }: { uuid: string; tokenUuid: string },
): Promise<tokens.TokenRow> {
  const action = "service-token.revoke";
  return transact(context.db, async (transaction) => {
    const account = await lockAccount(context, transaction, action, uuid);
    const { userUuid } = account;
    const found = isUuid(tokenUuid) ? await tokens.findToken(transaction, { userUuid, tokenUuid }) : undefined;
    if (!found) throw deny(context, { action, subject: subjectOf(userUuid) }, notFound("token", "tokenUuid"));
    const token = tokenOf(account, found);
    if (token.revoked) return token;
    await tokens.updateTokenRevoked(transaction, { tokenUuid });
    await recordAudit(
      context,
      { action, outcome: "done", subject: subjectOf(userUuid), details: { tokenUuid, name: token.name } },
      transaction,
    );
    return { ...token, revoked: true };
  });
}
