import { expect, test } from "vitest";
import { gatewayOfFile } from "../support/perFile.ts";

/** The caller's answer if a refusal cannot be recorded in the audit log. */

const gateway = await gatewayOfFile("demo", {}, [/"status":503/]);

test("a refusal that cannot be recorded gives 503 with Retry-After, and reveals nothing of the database", async () => {
  const plain = await gateway.as("plain");
  const calls = [
    () => plain.get("/api/v1/user"),
    () => plain.call("POST", "/graphql", { query: "{ users { totalCount } }" }),
  ];
  for (const ask of calls) expect((await ask()).text).toMatch(/forbidden/i);
  await gateway.sql`create function refuse_event() returns trigger language plpgsql as 'begin raise exception ''out of connections of smartcare'' using errcode = ''53300''; end'`;
  await gateway.sql`create trigger refuse_event before insert on audit_event for each row execute function refuse_event()`;
  for (const ask of calls) {
    const { status, headers, body, text } = await ask();
    expect(status).toBe(503);
    expect(headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
    expect(headers.get("retry-after")).toBe("5");
    expect(body).toMatchObject({
      type: "urn:problem:unavailable",
      status: 503,
      instance: `urn:request:${headers.get("x-request-id")}`,
    });
    expect(text).not.toContain("smartcare");
  }
  await gateway.sql`drop trigger refuse_event on audit_event`;
  for (const ask of calls) expect((await ask()).text).toMatch(/forbidden/i);
});
