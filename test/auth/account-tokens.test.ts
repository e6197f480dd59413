import { expect, test } from "vitest";

import { bearerAt, bodyOf, type Person, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** What happens to a person's tokens when the account changes, and who may see them. */

const gateway = await gatewayOfFile();

const expiryDate = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10);

async function signedIn(login: string, password = "demo-password"): Promise<Person> {
  const person = stranger(gateway.url);
  const { status } = await person.call("POST", "/api/v1/auth", { login, password });
  if (status !== 200) throw new Error(`${login} could not sign in: ${status}`);
  return person;
}

async function tokenOf(person: Person, name = "script"): Promise<{ uuid: string; token: string }> {
  return bodyOf(await person.call("POST", "/api/v1/token", { name, expiryDate, privileges: [] }));
}

const works = async (token: string): Promise<boolean> =>
  (await bearerAt(gateway.url, token).get("/api/v1/province")).status === 200;
const uuidOf = async (login: string): Promise<string> =>
  (await gateway.sql<{ userUuid: string }>`select user_uuid from app_user where user_name = ${login}`)[0]!.userUuid;

test("a password reset by a manager ends the person's tokens permanently", async () => {
  const { token } = await tokenOf(await signedIn("viewer"));
  expect(await works(token)).toBe(true);
  const uuid = await uuidOf("viewer");
  const { temporaryPassword } = bodyOf(
    await (await gateway.as("manager")).call("POST", `/api/v1/user/${uuid}/resetPassword`),
  );
  expect(await works(token)).toBe(false);
  const again = stranger(gateway.url);
  expect((await again.call("POST", "/api/v1/auth", { login: "viewer", password: temporaryPassword })).status).toBe(202);
  const chosen = { login: "viewer", password: "demo-password", confirmPassword: "demo-password" };
  expect((await again.call("POST", "/api/v1/auth", chosen)).status).toBe(200);
  expect(await works(token)).toBe(false);
});

test("a deactivation ends the person's tokens permanently, also after the reactivation", async () => {
  const { token } = await tokenOf(await signedIn("assessor"));
  const uuid = await uuidOf("assessor");
  const manager = await gateway.as("manager");
  expect((await manager.call("POST", `/api/v1/user/${uuid}/deactivate`)).status).toBe(200);
  expect(await works(token)).toBe(false);
  expect((await manager.call("POST", `/api/v1/user/${uuid}/reactivate`)).status).toBe(200);
  expect(await works(token)).toBe(false);
});

test("a person's own password change ends their tokens if requested", async () => {
  const person = await signedIn("uploader");
  const { token } = await tokenOf(person);
  const change = (currentPassword: string, password: string, endTokens?: boolean) =>
    person.call("POST", "/api/v1/user/me/password", {
      currentPassword,
      password,
      confirmPassword: password,
      endTokens,
    });
  expect((await change("demo-password", "changed-password-1")).status).toBe(200);
  expect(await works(token)).toBe(true);
  expect((await change("changed-password-1", "changed-password-2", true)).status).toBe(200);
  expect(await works(token)).toBe(false);
});

test("a common password is refused as a person's own new password", async () => {
  const person = await signedIn("plain");
  const body = { currentPassword: "demo-password", password: "sunshine1", confirmPassword: "sunshine1" };
  const answer = await person.call("POST", "/api/v1/user/me/password", body);
  expect([answer.status, bodyOf(answer).errors]).toEqual([
    422,
    [{ path: "password", message: "The new password is one of the 100,000 most common passwords" }],
  ]);
});

test("a person's manager lists the person's tokens with last use and address, and revokes them; others cannot", async () => {
  const { uuid, token } = await tokenOf(await signedIn("assessor"), "watched");
  await bearerAt(gateway.url, token).get("/api/v1/province");
  const person = await uuidOf("assessor");
  const manager = await gateway.as("manager");
  const [listed] = bodyOf(await manager.get(`/api/v1/user/${person}/token`));
  expect(listed).toMatchObject({ uuid, name: "watched", lastUsedAddress: "127.0.0.1", revoked: false });
  expect(listed.lastUsedTime).toMatch(/^\d\d:\d\d$/);
  const { data } = await manager.graphql(
    "query ($uuid: String!) { user(uuid: $uuid) { accessTokens { uuid name lastUsedAddress } } }",
    { uuid: person },
  );
  expect(data.user.accessTokens[0]).toEqual({ uuid, name: "watched", lastUsedAddress: "127.0.0.1" });

  for (const login of ["viewer", "plain"]) {
    const other = await signedIn(login);
    expect((await other.get(`/api/v1/user/${person}/token`)).status).toBe(404);
    expect((await other.call("DELETE", `/api/v1/user/${person}/token/${uuid}`)).status).toBe(403);
  }
  const administrator = await uuidOf("admin");
  const stranger = await uuidOf("plain");
  for (const whose of [administrator, stranger])
    expect((await manager.get(`/api/v1/user/${whose}/token`)).status).toBe(404);
  expect((await manager.call("DELETE", `/api/v1/user/${stranger}/token/${uuid}`)).status).toBe(404);

  expect(bodyOf(await manager.call("DELETE", `/api/v1/user/${person}/token/${uuid}`))).toMatchObject({
    uuid,
    revoked: true,
  });
  expect(await works(token)).toBe(false);
  const rows = await gateway.sql<{ details: object }>`
    select details from audit_event where action = 'token.revoke' order by audit_event_id desc limit 1`;
  expect(rows[0]!.details).toEqual({ name: "watched", of: "assessor" });
});

test("all sessions and tokens of a person end in one call, which is recorded in the audit and replaces the seal key", async () => {
  const sessions = [await signedIn("viewer"), await signedIn("viewer")];
  const { token } = await tokenOf(sessions[0]!);
  const manager = await gateway.as("manager");
  const uuid = await uuidOf("viewer");
  const sealKeyOf = async (person: Person) => bodyOf(await person.get("/api/v1/auth/seal-key")).sealKey as string;
  const sealKey = await sealKeyOf(sessions[0]!);
  expect(await sealKeyOf(sessions[1]!)).toBe(sealKey);
  const ended = bodyOf(await manager.call("POST", `/api/v1/user/${uuid}/endEverything`));
  expect(ended.endedSessions).toBeGreaterThanOrEqual(2);
  expect(ended.endedTokens).toBeGreaterThanOrEqual(1);
  for (const session of sessions) expect((await session.get("/api/v1/auth")).status).toBe(401);
  expect(await works(token)).toBe(false);
  const rows = await gateway.sql<{ details: object; subjectId: string }>`
    select details, subject_id from audit_event where action = 'user.end-everything' order by audit_event_id desc limit 1`;
  expect(rows[0]).toEqual({ details: ended, subjectId: uuid });
  expect(await sealKeyOf(await signedIn("viewer"))).not.toBe(sealKey);
});
