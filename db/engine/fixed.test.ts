import { type CompiledQuery, DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { expect, test } from "vitest";

import type { DB } from "../schema.ts";
import { fixedRow, fixedRows, InspectedValue } from "./fixed.ts";

/** A database that only records the statements that it gets. */
function database(): { handle: Kysely<DB>; statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = [];
  const handle = new Kysely<DB>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => {
      statements.push(query);
    },
  });
  return { handle, statements };
}

type Values = { name: string; id: number | null; keys: string[] };
const values: Values = { name: "Kanyama", id: 7, keys: ["a", "b"] };

test("a statement is built once, and each call sends its own values", async () => {
  const { handle, statements } = database();
  let built = 0;
  const find = fixedRow((db, { name, id, keys }: Values) => {
    built += 1;
    return db
      .selectFrom("facility")
      .select(sql<string>`${name}::text`.as("given"))
      .where("districtId", "=", id)
      .where("facilityUuid", "=", sql<string>`any(${keys})`)
      .where(sql<boolean>`name = ${name}`);
  });
  await find(handle, values);
  const builds = built;
  await find(handle, { name: "Matero", id: null, keys: [] });
  expect(built).toBe(builds);
  expect(statements.map(({ parameters }) => parameters)).toEqual([
    ["Kanyama", 7, ["a", "b"], "Kanyama"],
    ["Matero", null, [], "Matero"],
  ]);
  expect(statements[1]!.sql).toBe(statements[0]!.sql);
});

const inspecting: Record<string, (given: Values) => unknown> = {
  "whether it is null": ({ id }) => (id == null ? sql`true` : sql`id = ${id}`),
  "whether it is true": ({ name }) => (name ? sql`name = ${name}` : sql`true`),
  "its length": ({ keys }) => sql`id = ${keys.length}`,
  "its entries": ({ keys }) => sql`id in (${sql.join(keys)})`,
  "a copy of its entries": ({ keys }) => sql`id = any(${[...keys]})`,
  "its lower case": ({ name }) => sql`name = ${name.toLowerCase()}`,
  "it as a part of a text": ({ name }) => sql`name like ${`${name}%`}`,
  "it as a number": ({ id }) => sql`id = ${Number(id)}`,
  "it as JSON": ({ keys }) => sql`id = any(${JSON.stringify(keys)})`,
  "its keys": ({ keys }) => sql`id = ${Object.keys(keys)}`,
  "which values there are": (given) => sql`${JSON.stringify({ ...given })}`,
};

test.each(Object.entries(inspecting))("a builder that inspects a value is refused: %s", async (_, condition) => {
  const { handle, statements } = database();
  const list = fixedRows((db, given: Values) => db.selectFrom("facility").select("facilityUuid").where(condition(given) as ReturnType<typeof sql<boolean>>));
  await expect(list(handle, values)).rejects.toThrow(InspectedValue);
  await expect(list(handle, values), "and again").rejects.toThrow(InspectedValue);
  expect(statements).toEqual([]);
});
