import { expect, test } from "vitest";

import { hashPassword, verifyPassword } from "./password.ts";

test("passwords are hashed with OWASP's first choice, and without a stored hash no password is right", async () => {
  const hash = await hashPassword("demo-password");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect([
    await verifyPassword(hash, "demo-password"),
    await verifyPassword(hash, "demo-passwore"),
    await verifyPassword(undefined, "demo-password"),
  ]).toEqual([true, false, false]);
});
