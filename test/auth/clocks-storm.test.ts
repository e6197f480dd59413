import { afterEach, expect, test, vi } from "vitest";

import { codeOfStep, stepOf } from "../../gateway/auth/totp.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cursorNow } from "../support/settled.ts";
import { inZone } from "../support/zone.ts";

/**
 * The clock of a gateway's machine jumps, also by days and across changes of summer time, while the database's clock
 * goes on: sign-ins, sessions, second factors and the feed.
 */

const gateway = await gatewayOfFile();
afterEach(() => vi.useRealTimers());

const password = "demo-password";
const dayMs = 86_400_000;
/** The hours in which summer time begins or ends in these zones. */
const changes = {
  "Europe/Berlin": ["2026-03-29T01:00Z", "2026-10-25T01:00Z"],
  "America/New_York": ["2026-03-08T07:00Z", "2026-11-01T06:00Z"],
};

/** Fractions that look random and are the same in each run. */
let seed = 45;
const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
const oneOf = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;

/** A clock: jumps of up to a day, of days to the second, and around changes of summer time. */
function clock(): { zone: keyof typeof changes; time: number } {
  const zone = oneOf(Object.keys(changes) as (keyof typeof changes)[]);
  const time = oneOf([
    () => Date.now() + (random() - 0.5) * 2 * dayMs,
    () => Date.now() + oneOf([-7, -1, 1, 7]) * dayMs,
    () => Date.parse(oneOf(changes[zone])) + oneOf([-1, 0, 1]),
    () => Date.parse(oneOf(changes[zone])) + (random() - 0.5) * 7_200_000,
  ])();
  return { zone, time: Math.round(time) };
}

const bits = (text: string) =>
  [...text].map((letter) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")).join("");

test("100 clocks: sign-ins and sessions hold, a code works once and only forwards, the feed loses and repeats nothing", async () => {
  const admin = await gateway.as("admin");
  const assessor = await gateway.as("assessor");
  const begun = bodyOf(await assessor.call("POST", "/api/v1/user/me/secondFactor/begin", { password }));
  const secret = Buffer.from(
    bits(begun.secret)
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 300 * dayMs });
  let accepted = stepOf(Date.now());
  const confirm = await assessor.call("POST", "/api/v1/user/me/secondFactor/confirm", {
    code: codeOfStep(secret, accepted),
  });
  expect(confirm.status).toBe(200);
  const early = await stranger(gateway.url).call("POST", "/api/v1/auth", { login: "viewer", password });
  expect(early.status).toBe(200);

  const seen: string[] = [];
  const facilities = await gateway.sql<{ facilityUuid: string }>`
    select facility_uuid from facility order by facility_uuid limit 100`;
  vi.useRealTimers();
  let cursor = await cursorNow(gateway.db, admin, "facility");
  for (const { facilityUuid } of facilities) {
    const { zone, time } = clock();
    await inZone(zone, async () => {
      vi.useFakeTimers({ toFake: ["Date"], now: time });
      const at = `${zone} ${new Date(time).toISOString()}`;
      const person = stranger(gateway.url);
      expect((await person.call("POST", "/api/v1/auth", { login: "viewer", password })).status, at).toBe(200);
      expect((await person.get("/api/v1/auth")).status, at).toBe(200);
      expect((await admin.get("/api/v1/auth")).status, at).toBe(200);

      const step = stepOf(time);
      const withCode = () =>
        stranger(gateway.url).call("POST", "/api/v1/auth", {
          login: "assessor",
          password,
          code: codeOfStep(secret, step),
        });
      expect((await withCode()).status, at).toBe(step > accepted ? 200 : 401);
      expect((await withCode()).status, at).toBe(401);
      accepted = Math.max(accepted, step);
      await gateway.sql`truncate sign_in_limit`;

      await gateway.sql`update facility set facility_name = facility_name || '!' where facility_uuid = ${facilityUuid}`;
      const answer = bodyOf(await admin.get(`/api/v1/changes?since=${cursor}&kinds=facility&wait=20`));
      seen.push(...answer.changes.map(({ key }: { key: string }) => key));
      cursor = answer.cursor;
      vi.useRealTimers();
    });
  }
  expect(seen).toEqual(facilities.map(({ facilityUuid }) => facilityUuid));
});
