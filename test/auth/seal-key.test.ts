import { expect, test } from "vitest";

import { replaceSealKey } from "../../gateway/auth/sealKey.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The key that seals the data on a person's devices: given only to the person's own sessions. */

const gateway = await gatewayOfFile();

const path = "/api/v1/auth/seal-key";
const signIn = async (login: string) => {
  const person = stranger(gateway.url);
  return { person, answer: await person.call("POST", "/api/v1/auth", { login, password: "demo-password" }) };
};

test("the seal key is returned by the sign-in and by a call, is the same each time, and differs between people", async () => {
  const { person, answer } = await signIn("assessor");
  const { sealKey } = bodyOf(answer);
  expect(Buffer.from(sealKey, "base64")).toHaveLength(32);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const fetched = await person.get(path);
  expect(bodyOf(fetched)).toEqual({ sealKey });
  expect(fetched.headers.get("cache-control")).toBe("no-store");
  expect(bodyOf((await signIn("assessor")).answer).sealKey).toBe(sealKey);
  expect(bodyOf((await signIn("viewer")).answer).sealKey).not.toBe(sealKey);
});

test("the seal key is a different one after it was replaced", async () => {
  const { person, answer } = await signIn("uploader");
  const { uuid } = bodyOf(await person.get("/api/v1/user/me"));
  await replaceSealKey(gateway.db, uuid);
  expect(bodyOf(await person.get(path)).sealKey).not.toBe(bodyOf(answer).sealKey);
});

test("the seal key is not given to anonymous callers, to tokens, or before a temporary password is replaced", async () => {
  expect((await stranger(gateway.url).get(path)).status).toBe(401);
  const { person } = await signIn("assessor");
  const expiryDate = new Date(Date.now() + 5 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const made = await person.call("POST", "/api/v1/token", {
    name: "For the test",
    expiryDate,
    privileges: ["viewAssessments"],
  });
  const byToken = await stranger(gateway.url).get(path, { authorization: `Bearer ${bodyOf(made).token}` });
  expect(byToken.status).toBe(403);
  const newcomer = stranger(gateway.url);
  const reset = await newcomer.call("POST", "/api/v1/auth", { login: "newcomer", password: "temporary-1" });
  expect([reset.status, bodyOf(reset)]).toEqual([202, { status: "reset-required" }]);
  expect((await newcomer.get(path)).status).toBe(401);
});

test("a call whose header `x-person` names another person than the session is treated as anonymous", async () => {
  const { person } = await signIn("assessor");
  const { body } = await person.get("/api/v1/user/me");
  const { uuid } = body as { uuid: string };
  const headers = (of: string) => ({ "x-person": of });
  const ask = (of: string) =>
    person.call("POST", "/graphql", { query: "{ viewer { user { userName } } }" }, headers(of));
  expect(bodyOf(await ask(uuid)).data.viewer).not.toBeNull();
  expect(bodyOf(await ask(uuid.slice(-12))).data.viewer).not.toBeNull();
  expect(bodyOf(await ask(uuid.slice(-11))).data?.viewer ?? null).toBeNull();
  expect(bodyOf(await ask("0190016f-0000-7000-8000-000000000000")).data?.viewer ?? null).toBeNull();
  expect((await person.get("/api/v1/user/me", headers("0190016f-0000-7000-8000-000000000000"))).status).toBe(401);
});
