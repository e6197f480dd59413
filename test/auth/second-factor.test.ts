import { sql } from "kysely";
import { afterAll, beforeEach, expect, test } from "vitest";

import { codeOfStep, stepOf } from "../../gateway/auth/totp.ts";
import { atOneTime } from "../support/argon2.ts";
import { bearerAt, bodyOf, errorsOf, type Person, stranger, testGateway } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** The second factor: how it is set up, what a sign-in asks for, and who may remove it. */

const gateway = await gatewayOfFile();
const other = await testGateway("empty", { db: gateway.db });
afterAll(async () => {
  await other.stop();
});
/** Each test starts without counted guesses and without any second factor. */
beforeEach(async () => {
  await gateway.sql`truncate sign_in_limit`;
  await gateway.sql`truncate second_factor cascade`;
});

const password = "demo-password";
const auth = "/api/v1/auth";
const own = "/api/v1/user/me/secondFactor";

/** Decodes the secret from base 32, as an app does. */
function bytesOf(text: string): Buffer {
  const bits = [...text]
    .map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"))
    .join("");
  return Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
}
const codeNow = (secret: Buffer, steps = 0) => codeOfStep(secret, stepOf(Date.now()) + steps);
/** Makes the current codes valid again, as after a minute without a sign-in. */
const forgetSteps = () => sql`update second_factor set last_step = 0`.execute(gateway.db);

const signIn = async (login: string, more: object = {}, person: Person = stranger(gateway.url)) => {
  const answer = await person.call("POST", auth, { login, password, ...more });
  return { person, answer, status: answer.status };
};
const signedIn = async (login: string) => (await signIn(login)).person;

/** A person with a second factor, with its secret and recovery codes. */
async function enrolled(login: string): Promise<{ person: Person; secret: Buffer; recoveryCodes: string[] }> {
  const person = await signedIn(login);
  const secret = bytesOf(bodyOf(await person.call("POST", `${own}/begin`, { password })).secret);
  const { recoveryCodes } = bodyOf(await person.call("POST", `${own}/confirm`, { code: codeNow(secret) }));
  await forgetSteps();
  return { person, secret, recoveryCodes };
}

const events = async (login: string) => {
  const { body } = await (await signedIn("admin")).get(`/api/v1/audit?who=${login}&limit=100`);
  return (body as { action: string; outcome: string; details: { reason?: string } | null }[]).map(
    ({ action, outcome, details }) => [action, outcome, details?.reason].filter(Boolean).join(" "),
  );
};
const uuidOf = async (login: string): Promise<string> =>
  (await gateway.sql<{ userUuid: string }>`select user_uuid from app_user where user_name = ${login}`)[0]!.userUuid;

test("a second factor is set up with the password and a code, which ends the other sessions and returns ten recovery codes", async () => {
  const [person, elsewhere] = [await signedIn("viewer"), await signedIn("viewer")];
  expect(bodyOf(await person.get(own))).toEqual({ on: false, sinceDate: null, recoveryCodesLeft: 0, required: false });
  const refused = await person.call("POST", `${own}/begin`, { password: "wrong-password" });
  expect([refused.status, errorsOf(refused)]).toEqual([
    422,
    [{ path: "password", message: "is not your present password" }],
  ]);
  expect((await person.call("POST", `${own}/confirm`, { code: "123456" })).status).toBe(409);

  const begun = bodyOf(await person.call("POST", `${own}/begin`, { password }));
  expect(begun.uri).toBe(
    `otpauth://totp/SmartCare%20Deployment%20Platform:viewer?secret=${begun.secret}&issuer=SmartCare%20Deployment%20Platform`,
  );
  const secret = bytesOf(begun.secret);
  expect(secret).toHaveLength(20);
  // A sign-in needs no code before the second factor is confirmed.
  expect((await signIn("viewer")).status).toBe(200);
  for (const code of [codeNow(secret, 100), "12345é", "", " - ", 123456])
    expect(errorsOf(await person.call("POST", `${own}/confirm`, { code }))).toMatchObject([{ path: "code" }]);
  await gateway.sql`truncate sign_in_limit`;
  const confirmed = await person.call("POST", `${own}/confirm`, {
    code: `${codeNow(secret).slice(0, 3)} ${codeNow(secret).slice(3)}`,
  });
  expect(confirmed.status).toBe(200);
  expect(confirmed.headers.get("cache-control")).toBe("no-store");
  const { recoveryCodes } = bodyOf(confirmed);
  expect(new Set(recoveryCodes).size).toBe(10);
  expect(bodyOf(await person.get(own))).toMatchObject({
    on: true,
    sinceDate: expect.stringMatching(/^\d{4}-/),
    recoveryCodesLeft: 10,
  });
  expect((await elsewhere.get(own)).status).toBe(401);
  expect((await person.call("POST", `${own}/begin`, { password })).status).toBe(409);
  // Recovery codes are not stored in plain text.
  const kept = await sql<{ codeHash: string }>`select code_hash from recovery_code`.execute(gateway.db);
  expect(kept.rows.some(({ codeHash }) => recoveryCodes.includes(codeHash))).toBe(false);
  expect(await events("viewer")).toEqual(
    expect.arrayContaining([
      "second-factor.on done",
      "second-factor.on denied wrong code",
      "second-factor.begin denied",
    ]),
  );
});

test("a sign-in asks for a code only after the right password, and does not reveal the second factor otherwise", async () => {
  const { secret } = await enrolled("viewer");
  const wanted = await signIn("viewer");
  expect([wanted.status, wanted.answer.headers.get("content-type"), wanted.answer.body]).toEqual([
    401,
    expect.stringContaining("application/problem+json"),
    {
      type: "urn:problem:code-wanted",
      title: "Code wanted",
      status: 401,
      detail: "Enter the code of your authenticator app, or one of your recovery codes.",
      errors: [{ path: "code", message: "is required" }],
    },
  ]);
  expect(wanted.person.cookies.size).toBe(0);
  const answers = await Promise.all(
    [
      ["viewer"],
      ["viewer", codeNow(secret)],
      ["assessor", "123456"],
      ["nobody-at-all", "123456"],
      ["nobody-at-all"],
    ].map(async ([login, code]) => {
      const { status, text } = (await signIn(login!, { password: "wrong-password", code })).answer;
      return { status, text };
    }),
  );
  expect(answers).toEqual(answers.map(() => answers[0]));
  expect(answers[0]!.status).toBe(401);
  // The code that came with a wrong password was not used up.
  const { status, answer, person } = await signIn("viewer", { code: codeNow(secret) });
  expect([status, bodyOf(answer).status]).toEqual([200, "signed-in"]);
  expect(Buffer.from(bodyOf(answer).sealKey, "base64")).toHaveLength(32);
  expect((await person.get("/api/v1/user/me")).status).toBe(200);
  // A person without a second factor may send a code.
  expect((await signIn("assessor", { code: "123456" })).status).toBe(200);
  expect((await signIn("assessor", { code: "" })).status).toBe(200);
  expect(await events("viewer")).toEqual(expect.arrayContaining(["session.code-wanted done"]));
});

test("a code is accepted once, and no earlier code after it, also by two gateways at the same time", async () => {
  const { secret } = await enrolled("viewer");
  const code = codeNow(secret);
  const people = [gateway.url, other.url, gateway.url, other.url].map((url) => stranger(url));
  const statuses = await Promise.all(people.map(async (person) => (await signIn("viewer", { code }, person)).status));
  expect(statuses.toSorted()).toEqual([200, 401, 401, 401]);
  expect(bodyOf((await signIn("viewer", { code })).answer).errors).toEqual([
    { path: "code", message: "is wrong, or was used already" },
  ]);
  await gateway.sql`truncate sign_in_limit`;
  expect((await signIn("viewer", { code: codeNow(secret, -1) })).status).toBe(401);
  expect((await signIn("viewer", { code: codeNow(secret, 1) })).status).toBe(200);
});

test("five wrong codes lock the account like five wrong passwords, and the right password between them does not reset the count", async () => {
  const { secret } = await enrolled("viewer");
  const wrongCodes = async () =>
    (await events("viewer")).filter((event) => event === "session.sign-in failed wrong code").length;
  const before = await wrongCodes();
  for (let turn = 0; turn < 5; turn += 1) {
    expect((await signIn("viewer", { code: codeNow(secret, 100 + turn) })).status).toBe(401);
    if (turn < 4) expect(bodyOf((await signIn("viewer")).answer).type).toBe("urn:problem:code-wanted");
  }
  expect((await signIn("viewer", { code: codeNow(secret) })).status).toBe(424);
  expect((await signIn("viewer")).status).toBe(424);
  expect((await wrongCodes()) - before).toBe(5);
});

test("a recovery code works once, in any notation, and new codes replace the old ones", async () => {
  const { person, recoveryCodes } = await enrolled("viewer");
  const [first, second, third] = recoveryCodes as [string, string, string];
  expect((await signIn("viewer", { code: first.toUpperCase().replaceAll("-", " ") })).status).toBe(200);
  expect((await signIn("viewer", { code: first })).status).toBe(401);
  const both = await Promise.all(
    [gateway.url, other.url].map(async (url) => (await signIn("viewer", { code: second }, stranger(url))).status),
  );
  expect(both.toSorted()).toEqual([200, 401]);
  expect(bodyOf(await person.get(own)).recoveryCodesLeft).toBe(8);
  expect((await person.call("POST", `${own}/recoveryCodes`, { password: "wrong-password" })).status).toBe(422);
  const renewed = bodyOf(await person.call("POST", `${own}/recoveryCodes`, { password })).recoveryCodes;
  expect((await signIn("viewer", { code: third })).status).toBe(401);
  expect((await signIn("viewer", { code: renewed[0] })).status).toBe(200);
  expect(await events("viewer")).toEqual(
    expect.arrayContaining(["second-factor.recovery done", "second-factor.recovery-codes done"]),
  );
});

test("a second factor is switched off with the password; tokens cannot change it, and work without a code", async () => {
  const { person } = await enrolled("viewer");
  const expiryDate = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10);
  const { token } = bodyOf(await person.call("POST", "/api/v1/token", { name: "script", expiryDate, privileges: [] }));
  const script = bearerAt(gateway.url, token);
  expect((await script.get("/api/v1/province")).status).toBe(200);
  expect((await script.get(own)).status).toBe(403);
  for (const call of ["begin", "end", "recoveryCodes"])
    expect((await script.call("POST", `${own}/${call}`, { password })).status).toBe(403);
  expect((await person.call("POST", `${own}/end`, { password: "wrong-password" })).status).toBe(422);
  expect((await signIn("viewer")).status).toBe(401);
  expect((await person.call("POST", `${own}/end`, { password })).status).toBe(200);
  expect((await signIn("viewer")).status).toBe(200);
  expect((await person.call("POST", `${own}/end`, { password })).status).toBe(409);
  expect((await person.call("POST", `${own}/recoveryCodes`, { password })).status).toBe(409);
  expect(await events("viewer")).toEqual(
    expect.arrayContaining(["second-factor.off done", "second-factor.off denied"]),
  );
});

test("a password reset keeps the second factor: the temporary password needs the code, once", async () => {
  const { secret } = await enrolled("viewer");
  const manager = await gateway.as("manager");
  const { temporaryPassword } = bodyOf(
    await manager.call("POST", `/api/v1/user/${await uuidOf("viewer")}/resetPassword`),
  );
  const person = stranger(gateway.url);
  const wanted = await signIn("viewer", { password: temporaryPassword }, person);
  expect([wanted.status, bodyOf(wanted.answer).type, person.cookies.size]).toEqual([401, "urn:problem:code-wanted", 0]);
  expect((await signIn("viewer", { password: temporaryPassword, code: codeNow(secret) }, person)).status).toBe(202);
  const chosen = { password, confirmPassword: password };
  expect((await signIn("viewer", chosen)).status).toBe(401);
  expect((await signIn("viewer", chosen, person)).status).toBe(200);
  expect((await signIn("viewer")).status).toBe(401);
});

test("a person's manager can remove a lost second factor, which ends the person's sessions; nobody else can", async () => {
  const { person } = await enrolled("viewer");
  await enrolled("plain");
  const [viewer, plain, admin] = [await uuidOf("viewer"), await uuidOf("plain"), await uuidOf("admin")];
  const [manager, assessor, administrator] = [
    await gateway.as("manager"),
    await gateway.as("assessor"),
    await gateway.as("admin"),
  ];
  const remove = async (who: Person, uuid: string) =>
    (await who.call("POST", `/api/v1/user/${uuid}/removeSecondFactor`)).status;
  expect(await remove(assessor, viewer)).toBe(403);
  expect(await remove(manager, plain)).toBe(404);
  expect(await remove(manager, admin)).toBe(404);
  expect(await remove(administrator, admin)).toBe(422);
  expect((await person.get(own)).status).toBe(200);
  const ask = "query ($uuid: String!) { user(uuid: $uuid) { hasSecondFactor } }";
  expect((await manager.graphql(ask, { uuid: viewer })).data.user.hasSecondFactor).toBe(true);
  expect((await person.graphql(ask, { uuid: viewer })).data.user.hasSecondFactor).toBeNull();
  expect(await remove(manager, viewer)).toBe(200);
  expect((await manager.graphql(ask, { uuid: viewer })).data.user.hasSecondFactor).toBe(false);
  expect((await person.get(own)).status).toBe(401);
  expect((await signIn("viewer")).status).toBe(200);
  expect(await remove(manager, viewer)).toBe(409);
  expect(await events("manager")).toEqual(
    expect.arrayContaining(["user.remove-second-factor done", "user.remove-second-factor denied"]),
  );
});

test("GraphQL signs in like REST, with a code where one is needed", async () => {
  const { secret } = await enrolled("viewer");
  const attempt = (more: object) =>
    stranger(gateway.url)
      .graphql("mutation ($input: SignInInput!) { done: signIn(input: $input) { status errors { path message } } }", {
        input: { login: "viewer", password, ...more },
      })
      .then(({ data }) => data.done);
  expect(await attempt({})).toEqual({ status: null, errors: [{ path: "code", message: "is required" }] });
  expect(await attempt({ code: "no-such-code" })).toEqual({
    status: null,
    errors: [{ path: "code", message: "is wrong, or was used already" }],
  });
  expect(await attempt({ password: "wrong-password" })).toEqual({
    status: null,
    errors: [{ path: "", message: "Invalid Username or Password Entered" }],
  });
  expect(await attempt({ code: codeNow(secret) })).toEqual({ status: "SIGNED_IN", errors: [] });
});

test("if administrators must have a second factor, they get 403 until they set it up: by session, token, REST, GraphQL and upload", async () => {
  const strict = await testGateway("empty", { db: gateway.db, secondFactorOf: "administrators" });
  try {
    const before = await signedIn("admin");
    const expiryDate = new Date(Date.now() + 86_400_000 * 30).toISOString().slice(0, 10);
    const { token } = bodyOf(
      await before.call("POST", "/api/v1/token", { name: "script", expiryDate, privileges: ["viewAssessments"] }),
    );
    const person = stranger(strict.url);
    const first = await signIn("admin", {}, person);
    expect([first.status, first.answer.body]).toEqual([200, { status: "enrolment-required" }]);
    const older = stranger(strict.url);
    for (const [name, value] of before.cookies) older.cookies.set(name, value);
    for (const who of [person, older, bearerAt(strict.url, token)]) {
      for (const path of [
        "/api/v1/province",
        "/api/v1/user/me",
        "/api/v1/auth/seal-key",
        "/api/v1/audit",
        "/api/v1/download",
        auth,
      ]) {
        const { status, body } = await who.get(path);
        expect([path, status, body]).toEqual([
          path,
          403,
          expect.objectContaining({
            type: "urn:problem:enrolment-needed",
            detail: expect.stringContaining("second factor"),
          }),
        ]);
      }
      const answer = await who.graphql("{ viewer { user { uuid } } provinces(first: 1) { totalCount } }");
      expect(answer.errors).toMatchObject([{ extensions: { code: "ENROLMENT_NEEDED" } }]);
      expect((await who.call("POST", "/api/v1/user", {})).status).toBe(403);
      expect(
        (
          await who.call("POST", "/api/v1/tdb/resumable", undefined, {
            "tus-resumable": "1.0.0",
            "upload-length": "10",
          })
        ).status,
      ).toBe(403);
    }
    expect((await bearerAt(strict.url, token).call("POST", `${own}/begin`, { password })).status).toBe(403);
    // Other people do not need one.
    expect((await signIn("viewer", {}, stranger(strict.url))).status).toBe(200);

    expect(bodyOf(await person.get(own))).toMatchObject({ on: false, required: true });
    const secret = bytesOf(bodyOf(await person.call("POST", `${own}/begin`, { password })).secret);
    expect((await person.call("POST", `${own}/confirm`, { code: codeNow(secret) })).status).toBe(200);
    await forgetSteps();
    expect((await person.get("/api/v1/audit")).status).toBe(200);
    expect((await person.get("/api/v1/auth/seal-key")).status).toBe(200);
    expect((await bearerAt(strict.url, token).get("/api/v1/province")).status).toBe(200);
    expect((await older.get("/api/v1/province")).status).toBe(401);
    const second = await signIn("admin", { code: codeNow(secret) }, stranger(strict.url));
    expect([second.status, bodyOf(second.answer).status]).toEqual([200, "signed-in"]);
    // After it is switched off, it is required again.
    expect((await person.call("POST", `${own}/end`, { password })).status).toBe(200);
    expect((await person.get("/api/v1/province")).status).toBe(403);
    expect((await person.get("/api/v1/auth/logout")).status).toBe(200);
    expect((await person.get("/api/v1/province")).status).toBe(401);
    expect(await events("admin")).toEqual(
      expect.arrayContaining(["second-factor.on done", "second-factor.off done", "session.sign-out done"]),
    );
  } finally {
    await strict.stop();
  }
});

test("passwords are checked and hashed one at a time, whatever asks for it; a person's thirty-first check in a quarter of an hour is refused", async () => {
  const [viewer, admin] = [await signedIn("viewer"), await signedIn("admin")];
  const uploader = await uuidOf("uploader");
  atOneTime.most = 0;
  const [checks, others] = await Promise.all([
    Promise.all(Array.from({ length: 31 }, () => viewer.call("POST", `${own}/begin`, { password }))),
    Promise.all([
      ...["assessor", "plain", "manager"].map((login) => stranger(gateway.url).call("POST", auth, { login, password })),
      ...[1, 2, 3].map(() => admin.call("POST", `/api/v1/user/${uploader}/resetPassword`)),
    ]),
  ]);
  expect(atOneTime.most).toBe(1);
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
  const refused = checks.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([429]);
  expect(Number(refused[0]!.headers.get("retry-after"))).toBeGreaterThan(0);
});
