import { createHmac, randomBytes } from "node:crypto";

import { sql } from "kysely";

import type { Database } from "../../db/engine/connect.ts";
import { type Server, startOwn } from "./children.ts";
import type { Request } from "./connection.ts";
import { asker } from "./country.ts";
import { openDatabase, type Place, urlOf } from "./place.ts";

/**
 * PostGraphile as a fair peer, which must know the caller: with row-level security and JSON web tokens as its
 * documentation shows them. A token names a person and a role that owns nothing; every table has a policy that checks
 * whether that person may read. The product connects as the owner, to whom policies do not apply.
 */
export type Peer = Server & {
  /** with the token of the person who asks all questions */
  asVisitor: (request: Request) => Request;
};

const role = "bench_visitor";
const policies = `
  do $$
  declare
    name text;
  begin
    if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
    grant usage on schema public to ${role};
    grant select on all tables in schema public to ${role};
    create or replace function bench_may_read() returns boolean language sql stable security definer as
      'select exists (select from app_user where user_uuid = nullif(current_setting(''jwt.claims.user_uuid'', true), '''')::uuid and active)';
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
      execute format('alter table %I enable row level security', name);
      execute format('drop policy if exists bench_reads on %I', name);
      execute format('create policy bench_reads on %I for select to ${role} using ((select bench_may_read()))', name);
    end loop;
  end $$`;

/** Switches row-level security on. @returns the uuid of the person who asks */
async function secure(db: Database): Promise<string> {
  await sql.raw(policies).execute(db);
  const { userUuid } = await db
    .selectFrom("appUser")
    .select("userUuid")
    .where("userName", "=", asker)
    .executeTakeFirstOrThrow();
  return userUuid;
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
function tokenOf(claims: object, secret: string): string {
  const content = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded(claims)}`;
  return `${content}.${createHmac("sha256", secret).update(content).digest("base64url")}`;
}

/** @param folder where it is installed */
export async function startPeer(place: Place, folder: string): Promise<Peer> {
  const db = openDatabase(place);
  const userUuid = await secure(db);
  await db.destroy();
  const secret = randomBytes(32).toString("base64url");
  const server = await startOwn("postgraphile", [folder, urlOf(place), secret], {
    env: { NODE_ENV: "production", GRAPHILE_ENV: "production" },
  });
  const authorization = `Bearer ${tokenOf({ aud: "postgraphile", role, user_uuid: userUuid }, secret)}`;
  return { ...server, asVisitor: (request) => ({ ...request, headers: { ...request.headers, authorization } }) };
}
