import { expect, test } from "vitest";

import { base32, codeOfStep, findStep, otpauthUri, stepOf } from "./totp.ts";

const secret = Buffer.from("12345678901234567890");

test.each([
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
])("RFC 6238, appendix B: at %d seconds the code is %s", (seconds, code) => {
  expect(codeOfStep(secret, stepOf(seconds * 1000), 8)).toBe(code);
  expect(codeOfStep(secret, stepOf(seconds * 1000))).toBe(code.slice(2));
});

test.each(
  ["755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489"].map(
    (code, step) => [step, code] as const,
  ),
)("RFC 4226, appendix D: the code of step %d is %s", (step, code) => expect(codeOfStep(secret, step)).toBe(code));

test("a code is accepted one step early and one step late, but no further", () => {
  const step = 1000;
  const code = codeOfStep(secret, step);
  const found = [-2, -1, 0, 1, 2].map((steps) => findStep(secret, code, (step + steps) * 30_000));
  expect(found).toEqual([undefined, step, step, step, undefined]);
});

test.each(["", "12345", "1234567", "12345é", "abcdef", "      "])("%j is not a valid code", (code) => {
  expect(findStep(secret, code, 59_000)).toBeUndefined();
});

test.each([
  ["", ""],
  ["fooba", "MZXW6YTB"],
  ["12345678901234567890", "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"],
])("RFC 4648: %j is encoded as '%s'", (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded);
});

test("the address for an app contains the issuer, the account and the secret", () => {
  expect(otpauthUri({ issuer: "A platform", account: "mwila", secret })).toBe(
    "otpauth://totp/A%20platform:mwila?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=A%20platform",
  );
});
