import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { expect, test } from "vitest";

import type { DB } from "../schema.ts";
import { writtenOnce } from "./writtenOnce.ts";

const handle = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test("a statement that is written once takes the same values in any order, and refuses others", async () => {
  const ask = writtenOnce<Record<string, number>, unknown>(
    (_, values) => sql`select ${sql.join(Object.values(values))}`,
  );
  expect(await ask(handle, { one: 1, two: 2 })).toEqual([]);
  expect(await ask(handle, { two: 2, one: 1 })).toEqual([]);
  await expect(ask(handle, { one: 1 })).rejects.toThrow("Other values than one, two.");
  await expect(ask(handle, { one: 1, three: 3 })).rejects.toThrow(TypeError);
  await expect(ask(handle, { one: 1, two: 2, three: 3 })).rejects.toThrow(TypeError);
});
