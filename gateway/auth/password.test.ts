import { expect, test } from "vitest";

import { hashPassword, verifyPassword } from "./password.ts";

test("passwords are kept as OWASP's first choice says, and nothing fits where there is no account", async () => {
  const kept = await hashPassword("demo-password");
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect([await verifyPassword(kept, "demo-password"), await verifyPassword(kept, "demo-passwore"), await verifyPassword(undefined, "demo-password")]).toEqual([true, false, false]);
});
