import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { deleteEndedSessions } from "../../db/auth/session.ts";
import { type Answer, bodyOf, errorsOf, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

const gateway = await gatewayOfFile();
beforeEach(async () => {
  await gateway.sql`delete from sign_in_limit`;
});

const signIn = (login: string, password: string, confirmPassword?: string, person = stranger(gateway.url)) =>
  person.call("POST", "/api/v1/auth", {
    login,
    password,
    ...(confirmPassword === undefined ? {} : { confirmPassword }),
  });

describe("signing in", () => {
  test("accepts the user name or the primary e-mail address, in upper and lower case", async () => {
    for (const login of ["viewer", "VIEWER", " viewer ", "view\u200Ber", "viewer@demo.example", "Viewer@Demo.Example"])
      expect((await signIn(login, "demo-password")).status).toBe(200);
  });

  test("compares passwords in one form: pasted with spaces around them, or with other forms of the same letters", async () => {
    for (const password of [" demo-password\n", "\uFF44\uFF45\uFF4D\uFF4F-password"])
      expect((await signIn("viewer", password)).status).toBe(200);
    expect((await signIn("viewer", "demo- password")).status).toBe(401);
  });

  test("sets an opaque cookie for all paths that is HttpOnly and SameSite=Lax, and stores only its hash", async () => {
    const answer = await signIn("viewer", "demo-password");
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith("session="))!;
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    const token = /^session=([^;]+)/.exec(cookie)![1]!;
    const rows = await gateway.sql<{ tokenHash: string }>`select token_hash from session`;
    expect(rows.map((row) => row.tokenHash)).not.toContain(token);
  });

  test("returns the same answer for a wrong password and an unknown name", async () => {
    const wrong = await signIn("viewer", "not-the-password");
    const unknown = await signIn("nobody-here", "not-the-password");
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect(wrong.body).toEqual(unknown.body);
    expect(wrong.headers.get("content-type")).toContain("application/problem+json");
  });

  test.each([
    [{ login: "viewer" }, ["password"]],
    [{ login: "", password: "demo-password" }, ["login"]],
    [{ login: "viewer", password: "12345" }, ["password"]],
    [{ login: "viewer", password: "demo-password", remember: true }, ["remember"]],
    [{ login: "viewer\u0000", password: "demo-password" }, ["login"]],
    [{ login: "viewer\ud800", password: "demo-password" }, ["login"]],
    [{ login: "viewer", password: "demo-password", confirmPassword: "other-password" }, ["confirmPassword"]],
    [{ login: 7, password: 8 }, ["login", "password"]],
  ])("returns 422 with the wrong fields of %j", async (body, paths) => {
    const answer = await stranger(gateway.url).call("POST", "/api/v1/auth", body);
    expect(answer.status).toBe(422);
    expect(errorsOf(answer).map(({ path }) => path)).toEqual(paths);
  });

  test("refuses a body that is not JSON (400) or has another type (415)", async () => {
    const person = stranger(gateway.url);
    expect((await person.call("POST", "/api/v1/auth", "{nope")).status).toBe(400);
    const form = await person.call("POST", "/api/v1/auth", "login=viewer", {
      "content-type": "application/x-www-form-urlencoded",
    });
    expect(form.status).toBe(415);
  });
});

describe("the session", () => {
  test("is checked, used by REST and GraphQL, and ended by sign-out", async () => {
    const person = stranger(gateway.url);
    expect((await person.get("/api/v1/auth")).status).toBe(401);
    await signIn("viewer", "demo-password", undefined, person);
    expect((await person.get("/api/v1/province")).status).toBe(200);
    expect((await person.graphql("{ viewer { user { userName } } }")).data).toEqual({
      viewer: { user: { userName: "viewer" } },
    });
    const cookie = person.cookies.get("session")!;
    expect((await person.get("/api/v1/auth/logout")).status).toBe(200);
    person.cookies.set("session", cookie);
    expect((await person.get("/api/v1/auth")).status).toBe(401);
    expect((await person.get("/api/v1/province")).status).toBe(401);
    expect((await person.graphql("{ viewer { user { userName } } }")).data).toEqual({ viewer: null });
  });

  test.each([
    [
      "ended by time, without use",
      sql`update session set last_seen_at = now() - interval '12 hours 1 second'`,
      "unauthenticated",
    ],
    ["ended by time, after 7 days", sql`update session set expires_at = now() - interval '20 days'`, "unauthenticated"],
    ["ended by somebody", sql`delete from session`, "session-revoked"],
    ["of a deactivated person", sql`update app_user set active = false where user_name = 'plain'`, "session-revoked"],
  ])("that is %s, is answered so that its device knows whether to close what it stores", async (_, change, type) => {
    const person = stranger(gateway.url);
    await signIn("plain", "demo-password", undefined, person);
    await change.execute(gateway.db);
    // A gateway that starts deletes old sessions.
    await deleteEndedSessions(gateway.db);
    const answer = await person.get("/api/v1/auth");
    expect([answer.status, bodyOf(answer).type]).toEqual([401, `urn:problem:${type}`]);
    await gateway.sql`update app_user set active = true`;
    expect(bodyOf(await stranger(gateway.url).get("/api/v1/auth")).type).toBe("urn:problem:unauthenticated");
  });
});

describe("a temporary password", () => {
  const restore = async () => {
    await gateway.sql`update app_user set password_temporary = true, password_hash = n.password_hash
      from (select ${await hashOf("temporary-1")} as password_hash) n where user_name = 'newcomer'`;
  };
  const hashOf = async (password: string) => (await import("../../gateway/auth/password.ts")).hashPassword(password);

  test("must be replaced: returns 202, then accepts a new password given twice, which is valid from then on", async () => {
    const person = stranger(gateway.url);
    const first = await signIn("newcomer", "temporary-1", undefined, person);
    expect(first.status).toBe(202);
    expect(person.cookies.has("session")).toBe(false);
    expect((await person.get("/api/v1/auth")).status).toBe(202);
    expect((await person.get("/api/v1/province")).status).toBe(401);

    const same = await signIn("newcomer", "temporary-1", "temporary-1", person);
    expect([same.status, errorsOf(same)[0]!.path]).toEqual([422, "password"]);
    const other = await signIn("viewer", "brand-new-1", "brand-new-1", person);
    expect(other.status).toBe(401);

    expect((await signIn("newcomer", "brand-new-1", "brand-new-1", person)).status).toBe(200);
    expect((await person.get("/api/v1/province")).status).toBe(200);
    expect(person.cookies.has("reset")).toBe(false);
    expect((await signIn("newcomer", "temporary-1")).status).toBe(401);
    expect((await signIn("newcomer", "brand-new-1")).status).toBe(200);
    await restore();
  });

  test("cannot be replaced without the reset cookie or after ten minutes", async () => {
    expect((await signIn("newcomer", "brand-new-2", "brand-new-2")).status).toBe(401);
    const person = stranger(gateway.url);
    expect((await signIn("newcomer", "temporary-1", undefined, person)).status).toBe(202);
    await gateway.sql`update session set expires_at = expires_at - interval '10 minutes' where purpose = 'reset'`;
    expect((await signIn("newcomer", "brand-new-2", "brand-new-2", person)).status).toBe(401);
  });

  test.each([
    ["123456", "run"],
    ["newcomer", "own name"],
    ["newcomer@demo.example", "own name"],
    ["SmartCare", "platform"],
    ["password", "most common"],
    ["Liverpool", "most common"],
  ])("cannot be replaced by %j", async (password, reason) => {
    const person = stranger(gateway.url);
    expect((await signIn("newcomer", "temporary-1", undefined, person)).status).toBe(202);
    const refused = await signIn("newcomer", password, password, person);
    expect([refused.status, errorsOf(refused)[0]!.path]).toEqual([422, "password"]);
    expect(errorsOf(refused)[0]!.message).toContain(reason);
    expect((await signIn("newcomer", "temporary-1")).status).toBe(202);
  });

  test("ends the person's other sessions when it is replaced", async () => {
    const person = stranger(gateway.url);
    await signIn("newcomer", "temporary-1", undefined, person);
    await signIn("newcomer", "brand-new-3", "brand-new-3", person);
    const elsewhere = stranger(gateway.url);
    await signIn("newcomer", "brand-new-3", undefined, elsewhere);
    await restore();
    const again = stranger(gateway.url);
    await signIn("newcomer", "temporary-1", undefined, again);
    await signIn("newcomer", "brand-new-4", "brand-new-4", again);
    expect((await elsewhere.get("/api/v1/auth")).status).toBe(401);
    await restore();
  });
});

describe("guessing", () => {
  test.each(["assessor", "no-such-name"])(
    "locks %s for 15 minutes after five failures, also for the right password",
    async (login) => {
      for (let guess = 0; guess < 5; guess += 1)
        expect((await signIn(login, `guess-number-${guess}`)).status).toBe(401);
      expect((await signIn(login, "demo-password")).status).toBe(424);
      const rows = await gateway.sql<{ minutes: string }>`
      select round((max(expire) / 1000.0 - extract(epoch from now())) / 60) as minutes from sign_in_limit where key like 'name:%'`;
      expect(rows[0]!.minutes).toBe("15");
    },
  );

  test("by name and by e-mail address counts for one account, and does not reveal that the account exists", async () => {
    const [known, unknown] = [
      ["assessor", "assessor@demo.example"],
      ["nobody", "nobody@demo.example"],
    ] as const;
    const answersFor = async ([name, email]: readonly [string, string]) => {
      const answers = [];
      for (const login of [name, name, name, email, email, name, name, name, email, email, email, email])
        answers.push(await signIn(login, "not-the-password"));
      return answers.map(({ status, text }) => ({ status, text }));
    };
    const answers = await answersFor(known);
    await gateway.sql`delete from sign_in_limit where key like 'failures:%'`;
    expect(await answersFor(unknown)).toEqual(answers);
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401, 401, 424, 401, 401, 401, 424]);
  });

  test.each(["uploader", "nobody-at-all"])("%s in parallel does not allow more attempts", async (login) => {
    const guesses = await Promise.all(Array.from({ length: 12 }, (_, index) => signIn(login, `parallel-${index}`)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 424)).toHaveLength(7);
  });

  test("in parallel does not find a right password that comes after five wrong ones", async () => {
    const wrong = Array.from({ length: 14 }, (_, index) => signIn("uploader", `parallel-${index}`));
    // Checked guesses and the one that is being checked.
    const begun = async () =>
      (
        await gateway.sql<{ n: number }>`
          select coalesce(sum(points + trying), 0)::int as n from sign_in_limit where key = 'name:uploader'`
      )[0]!.n;
    await expect.poll(begun).toBe(5);
    const right = await signIn("uploader", "demo-password");
    expect([right.status, right.headers.getSetCookie()]).toEqual([424, []]);
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 401),
      ...Array.from({ length: 9 }, () => 424),
    ]);
  });

  test("from one address returns 429 with Retry-After after 20 failures", async () => {
    for (let guess = 0; guess < 20; guess += 1)
      expect((await signIn(`name-${guess}`, "not-the-password")).status).toBe(401);
    const limited = await signIn("viewer", "demo-password");
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(14 * 60);
  });

  test("successful sign-ins from one address are limited after 100", async () => {
    for (let index = 0; index < 100; index += 1) expect((await signIn("viewer", "demo-password")).status).toBe(200);
    expect((await signIn("viewer", "demo-password")).status).toBe(429);
  });

  test("a successful sign-in resets the failures before it", async () => {
    for (let round = 0; round < 3; round += 1) {
      for (let guess = 0; guess < 3; guess += 1) expect((await signIn("viewer", "not-the-password")).status).toBe(401);
      expect((await signIn("viewer", "demo-password")).status).toBe(200);
    }
  });

  test("a deactivated account returns 424 only with its right password", async () => {
    await gateway.sql`update app_user set active = false where user_name = 'plain'`;
    expect((await signIn("plain", "not-the-password")).status).toBe(401);
    expect((await signIn("plain", "demo-password")).status).toBe(424);
    await gateway.sql`update app_user set active = true`;
  });
});

describe("right passwords", () => {
  test("of 25 people at the same time from one address all succeed", async () => {
    await gateway.sql`insert into app_user (user_uuid, user_name, first_name, surname, gender, primary_email, primary_phone_number,
        implementing_partner_id, password_hash, password_temporary)
      select gen_random_uuid(), 'pupil-' || n, 'Pupil', 'Phiri', 'U', 'pupil-' || n || '@demo.example', '0977000000',
        implementing_partner_id, password_hash, false from app_user, generate_series(1, 25) n where user_name = 'plain'`;
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, index) => signIn(`pupil-${index + 1}`, "demo-password")),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200));
  });

  test("of one person in 12 windows at the same time all succeed, also after four wrong ones", async () => {
    for (let guess = 0; guess < 4; guess += 1)
      expect((await signIn("viewer", `guess-number-${guess}`)).status).toBe(401);
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn("viewer", "demo-password")));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  test("are accepted half a minute after a gateway was killed while it checked the same account", async () => {
    await gateway.sql`insert into sign_in_limit (key, points, expire, trying, tried_at)
      values ('name:viewer', 0, extract(epoch from now()) * 1000 + 900000, 5, now() - interval '31 seconds')`;
    expect((await signIn("viewer", "demo-password")).status).toBe(200);
  });
});

describe("a password that is replaced while somebody signs in with it", () => {
  /** Runs `act` with a right password that is replaced after it was read. */
  async function meanwhile(login: string, act: () => Promise<Answer>): Promise<Answer> {
    const before = await sql<{ passwordHash: string }>`
      select password_hash from app_user where user_name = ${login}`.execute(gateway.db);
    const attempt = await gateway.db.transaction().execute(async (transaction) => {
      await sql`update app_user set password_hash = password_hash || '-replaced' where user_name = ${login}`.execute(
        transaction,
      );
      await sql`delete from session where user_uuid = (select user_uuid from app_user where user_name = ${login})`.execute(
        transaction,
      );
      const pending = act();
      const waits = sql<{
        count: number;
      }>`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await waits.execute(gateway.db)).rows[0]!.count).toBeGreaterThan(0);
      return { pending };
    });
    const answer = await attempt.pending;
    await gateway.sql`update app_user set password_hash = ${before.rows[0]!.passwordHash} where user_name = ${login}`;
    return answer;
  }
  async function signInMeanwhile(
    login: string,
    password: string,
    confirmPassword?: string,
    person = stranger(gateway.url),
  ) {
    const { status } = await meanwhile(login, () => signIn(login, password, confirmPassword, person));
    return { status, cookies: [...person.cookies.keys()] };
  }

  test("starts no session", async () => {
    expect(await signInMeanwhile("viewer", "demo-password")).toEqual({ status: 401, cookies: [] });
  });

  test("starts no reset", async () => {
    expect(await signInMeanwhile("newcomer", "temporary-1")).toEqual({ status: 401, cookies: [] });
  });

  test("is not replaced by a reset that started before", async () => {
    const person = stranger(gateway.url);
    expect((await signIn("newcomer", "temporary-1", undefined, person)).status).toBe(202);
    expect((await signInMeanwhile("newcomer", "brand-new-5", "brand-new-5", person)).status).toBe(401);
    expect((await signIn("newcomer", "temporary-1")).status).toBe(202);
  });

  test("is not replaced by the person whose session was ended", async () => {
    const person = stranger(gateway.url);
    await signIn("uploader", "demo-password", undefined, person);
    const body = { currentPassword: "demo-password", password: "brand-new-6", confirmPassword: "brand-new-6" };
    expect((await meanwhile("uploader", () => person.call("POST", "/api/v1/user/me/password", body))).status).toBe(422);
    expect((await signIn("uploader", "demo-password")).status).toBe(200);
  });
});

describe("pages of other sites", () => {
  test.each(["https://evil.example", "null", "http://127.0.0.1"])(
    "cannot change anything: Origin %s",
    async (origin) => {
      const person = stranger(gateway.url);
      await signIn("viewer", "demo-password", undefined, person);
      const attempt = await person.call(
        "POST",
        "/api/v1/auth",
        { login: "viewer", password: "demo-password" },
        { origin },
      );
      expect(attempt.status).toBe(403);
      const query = await person.call(
        "POST",
        "/graphql",
        { query: "mutation { signOut { errors { path } } }" },
        { origin },
      );
      expect(query.status).toBe(403);
      for (const logout of ["/api/v1/auth/logout", "/api/v1/auth/%6Cogout", "/api/v1/%61uth/logout"])
        expect((await person.get(logout, { origin })).status, logout).toBe(403);
      expect((await person.get("/api/v1/auth")).status).toBe(200);
    },
  );

  test("the gateway's own page can sign in and out", async () => {
    const person = stranger(gateway.url);
    const headers = { origin: gateway.url };
    const answer = await person.call("POST", "/api/v1/auth", { login: "viewer", password: "demo-password" }, headers);
    expect(answer.status).toBe(200);
    expect((await person.get("/api/v1/auth/logout", headers)).status).toBe(200);
  });
});

test("sign-ins and failures are recorded in the audit, with the address", async () => {
  await signIn("viewer", "demo-password");
  await signIn("somebody", "not-the-password");
  const rows = await gateway.sql<{
    action: string;
    outcome: string;
    login: string | null;
    address: string;
    userName: string | null;
  }>`
    select action, outcome, login, address, user_name from audit_event left join app_user using (user_uuid)
    order by audit_event_id desc limit 2`;
  expect(rows).toEqual([
    { action: "session.sign-in", outcome: "failed", login: "somebody", address: "127.0.0.1", userName: null },
    { action: "session.sign-in", outcome: "done", login: null, address: "127.0.0.1", userName: "viewer" },
  ]);
  await expect(sql`delete from audit_event`.execute(gateway.db)).rejects.toThrow("append-only");
});
