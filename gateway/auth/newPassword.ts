import { createHash } from "node:crypto";

import type { Handle } from "../../db/engine/connect.ts";
import { findUser } from "../../db/user/user.ts";
import { invalid } from "../problem.ts";
import { passwordFault } from "./password.rules.ts";
import { hashInTurn } from "./turns.ts";

/**
 * Checks new passwords against the most common ones. commonPasswords.bin has the first five bytes of the SHA-256 of
 * each (in lower case), sorted: 420 kB for the 100,000 most common, without those shorter than the minimum. It is read
 * at the first check.
 */

const width = 5;
let list: Promise<Buffer> | undefined;
const readList = (): Promise<Buffer> =>
  (list ??= import("./commonPasswords.bin?url&inline").then(({ default: address }) =>
    Buffer.from(address.slice(address.indexOf(",") + 1), "base64"),
  ));

async function isCommon(password: string): Promise<boolean> {
  const hashes = await readList();
  const wanted = createHash("sha256").update(password.toLowerCase()).digest().subarray(0, width);
  let [from, to] = [0, hashes.length / width];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = wanted.compare(hashes, middle * width, (middle + 1) * width);
    if (order === 0) return true;
    if (order > 0) from = middle + 1;
    else to = middle;
  }
  return false;
}

/** The hash of a password that a person chose for themselves. @throws Problem INVALID, with the reason; TOO_MANY */
export async function hashNewPassword(
  handle: Handle,
  { userUuid, password }: { userUuid: string; password: string },
): Promise<string> {
  const user = await findUser(handle, { userUuid });
  const { userName = "", firstName = "", middleName, surname = "", primaryEmail = "", secondaryEmail } = user ?? {};
  const emails = [primaryEmail, secondaryEmail ?? ""].flatMap((email) => [email, email.split("@")[0]!]);
  const names = [
    userName,
    firstName,
    middleName ?? "",
    surname,
    `${firstName} ${surname}`,
    `${surname} ${firstName}`,
    `${firstName} ${middleName ?? ""} ${surname}`,
    ...emails,
  ];
  const fault =
    passwordFault(password, names) ??
    ((await isCommon(password)) ? "is one of the 100,000 most common passwords" : null);
  if (fault) throw invalid([{ path: "password", message: `The new password ${fault}` }]);
  return hashInTurn(userUuid, password);
}
