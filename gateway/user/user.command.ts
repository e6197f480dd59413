import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";

import { v7 as uuidv7 } from "uuid";

import { insertAuditEvent } from "../../db/audit.ts";
import { openDatabase } from "../../db/open.ts";
import { upsertPartner } from "../../db/reference.ts";
import { insertUser } from "../../db/user.ts";
import { hashPassword } from "../auth/password.ts";
import { readSettings } from "../env.ts";
import { parse } from "../parse.ts";
import { newUserRules } from "./user.rules.ts";

/** `npm run accounts -- …`: what an operator does with accounts from the command line. */

const usage = `npm run accounts -- create-administrator --user-name NAME --first-name NAME --surname NAME --email ADDRESS --phone NUMBER [--partner NAME]

Creates an administrator and prints a temporary password, which must be replaced at the first sign-in.
The partner (default: Ministry of Health) is created when it is not there.`;

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
  const temporaryPassword = randomBytes(9).toString("base64url");
  const { db, close } = await openDatabase(readSettings(), (error) => console.error(error.message));
  try {
    await db.transaction().execute(async (transaction) => {
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
      await insertAuditEvent(transaction, {
        action: "user.create",
        outcome: "done",
        subjectType: "User",
        subjectId: userUuid,
        details: JSON.stringify({ by: "command line", userName: user.userName, administrator: true }),
      });
    });
  } finally {
    await close();
  }
  console.log(`Administrator ${user.userName} created. Temporary password: ${temporaryPassword}`);
}

const [act, ...args] = process.argv.slice(2);
try {
  if (act === "create-administrator") await createAdministrator(args);
  else {
    console.log(usage);
    process.exitCode = act === undefined || act === "--help" ? 0 : 1;
  }
} catch (error) {
  const { code, constraint, message } = error as { code?: string; constraint?: string; message: string };
  console.error(code === "23505" ? `This name or e-mail address is taken (${constraint}).` : `No account was created: ${message}`);
  process.exitCode = 1;
}
