import { parseArgs } from "node:util";

import { v7 as uuidv7 } from "uuid";

import { insertAuditEvent } from "../../db/audit/audit.ts";
import type { Database, Handle } from "../../db/engine/connect.ts";
import { upsertPartner } from "../../db/reference/reference.ts";
import { deleteSecondFactor } from "../../db/user/secondFactor.ts";
import { deleteSessionsOfUser, listSessions } from "../../db/auth/session.ts";
import { updateTokensOfUserRevoked } from "../../db/auth/token.ts";
import { transact } from "../../db/engine/transaction.ts";
import { findCredentials, insertUser, Taken, updatePassword } from "../../db/user/user.ts";
import { hashPassword, makePassword } from "../auth/password.ts";
import type { AuditAction } from "../audit/events.rules.ts";
import { readSettings } from "../env.ts";
import { parse } from "../input/parse.ts";
import { runCommand, withDatabase } from "../system/command.ts";
import { newUserRules } from "./user.rules.ts";

/** `npm run accounts -- …`: commands for operators on accounts. Exit codes: 0 done, 1 not done, 2 wrongly called. */

const usage = `npm run accounts -- create-administrator --user-name NAME --first-name NAME --surname NAME --email ADDRESS --phone NUMBER [--partner NAME]
npm run accounts -- reset-password --user-name NAME
npm run accounts -- list-sessions --user-name NAME
npm run accounts -- end-sessions --user-name NAME
npm run accounts -- remove-second-factor --user-name NAME

create-administrator makes an administrator and prints a temporary password, which must be replaced at the first sign-in.
The partner (default: Ministry of Health) is created when it is not there.
reset-password prints a new temporary password and ends the person's sessions and access tokens.
remove-second-factor takes a lost second factor away and ends the person's sessions. A name may also be an e-mail address.`;

const withAccounts = <Result>(act: (db: Database) => Promise<Result>): Promise<Result> =>
  withDatabase(readSettings(), act, { upToDate: true });

async function createAdministrator(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      "user-name": { type: "string" },
      "first-name": { type: "string" },
      surname: { type: "string" },
      email: { type: "string" },
      phone: { type: "string" },
      partner: { type: "string", default: "Ministry of Health" },
    },
  });
  const user = parse(newUserRules, {
    userName: values["user-name"],
    firstName: values["first-name"],
    surname: values.surname,
    gender: "U",
    primaryEmail: values.email,
    primaryPhoneNumber: values.phone,
  });
  const temporaryPassword = makePassword();
  await withAccounts((db) =>
    transact(db, async (transaction) => {
      const userUuid = uuidv7();
      const implementingPartnerId = await upsertPartner(transaction, { name: values.partner });
      const passwordHash = await hashPassword(temporaryPassword);
      await insertUser(transaction, {
        ...user,
        userUuid,
        implementingPartnerId,
        passwordHash,
        passwordTemporary: true,
        administrator: true,
      });
      await recordCommand(transaction, "user.create", userUuid, { userName: user.userName, administrator: true });
    }),
  );
  console.log(`Administrator ${user.userName} created. Temporary password: ${temporaryPassword}`);
}

/** The account of --user-name. @throws Error if there is none */
async function findNamed(db: Database, args: string[]) {
  const { values } = parseArgs({ args, options: { "user-name": { type: "string" } } });
  const login = values["user-name"];
  if (!login) throw new Error("--user-name is missing");
  const account = await findCredentials(db, { login });
  if (!account) throw new Error(`there is no user ${login}`);
  return account;
}

/** Writes an event about an account to the audit log. */
async function recordCommand(db: Handle, action: AuditAction, userUuid: string, more: object = {}): Promise<void> {
  const details = JSON.stringify({ by: "command line", ...more });
  await insertAuditEvent(db, { action, outcome: "done", subjectType: "User", subjectId: userUuid, details });
}

async function resetPassword(args: string[]): Promise<void> {
  const temporaryPassword = makePassword();
  const userName = await withAccounts(async (db) => {
    const account = await findNamed(db, args);
    const passwordHash = await hashPassword(temporaryPassword);
    await transact(db, async (transaction) => {
      await updatePassword(transaction, { userUuid: account.userUuid, passwordHash, temporary: true });
      await deleteSessionsOfUser(transaction, account);
      await updateTokensOfUserRevoked(transaction, account);
      await recordCommand(transaction, "user.reset-password", account.userUuid);
    });
    return account.userName;
  });
  console.log(`New temporary password of ${userName}: ${temporaryPassword}`);
}

async function printSessions(args: string[]): Promise<void> {
  await withAccounts(async (db) => {
    const account = await findNamed(db, args);
    const sessions = await listSessions(db, account);
    console.log(`${account.userName} has ${sessions.length} sessions.`);
    for (const { address, startDate, startTime, lastSeenDate, lastSeenTime } of sessions)
      console.log(
        `from ${address ?? "unknown"}, since ${startDate} ${startTime}, last used ${lastSeenDate} ${lastSeenTime}`,
      );
  });
}

async function endSessions(args: string[]): Promise<void> {
  await withAccounts(async (db) => {
    const account = await findNamed(db, args);
    const { length } = await listSessions(db, account);
    await transact(db, async (transaction) => {
      await deleteSessionsOfUser(transaction, account);
      await recordCommand(transaction, "session.end", account.userUuid);
    });
    console.log(`${length} sessions of ${account.userName} ended.`);
  });
}

async function removeSecondFactor(args: string[]): Promise<void> {
  await withAccounts(async (db) => {
    const account = await findNamed(db, args);
    await transact(db, async (transaction) => {
      if (!(await deleteSecondFactor(transaction, account)))
        throw new Error(`${account.userName} has no second factor`);
      await deleteSessionsOfUser(transaction, account);
      await recordCommand(transaction, "user.remove-second-factor", account.userUuid);
    });
    console.log(`${account.userName} signs in by the password alone.`);
  });
}

const acts: Record<string, (args: string[]) => Promise<void>> = {
  "create-administrator": createAdministrator,
  "reset-password": resetPassword,
  "list-sessions": printSessions,
  "end-sessions": endSessions,
  "remove-second-factor": removeSecondFactor,
};

async function run(): Promise<number> {
  const [name, ...args] = process.argv.slice(2);
  const act = name !== undefined && Object.hasOwn(acts, name) ? acts[name] : undefined;
  if (act) {
    await act(args);
    return 0;
  }
  console.log(usage);
  return name === "--help" ? 0 : 2;
}

await runCommand(run, usage, (error) =>
  error instanceof Taken
    ? `This ${error.field === "userName" ? "user name" : "e-mail address"} is taken.`
    : `Nothing was done: ${error.message}`,
);
