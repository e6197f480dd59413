import DataLoader from "dataloader";

import type { Database } from "../../db/engine/connect.ts";
import type { Context } from "../context.ts";
import { isUuid } from "../input/page.rules.ts";

/**
 * Reads one thing by its key, together with the request's other reads of the same kind, in one statement. `readMany`
 * returns a map; `missing` makes the value (or the Error) for a key that the map lacks. Nothing is cached: a read after
 * a change sees the change.
 */
export function batched<Key, Value>(
  readMany: (context: Context, keys: readonly Key[]) => Promise<Map<Key, Value>>,
  missing: (key: Key) => Value | Error,
): (context: Context, key: Key) => Promise<Value> {
  const load = batchedBy<null, Key, Value>((context, _, keys) => readMany(context, keys), missing);
  return (context, key) => load(context, null, key);
}

/** As `batched`, by uuids as callers write them: in upper or lower case. A text that is no uuid is not looked up. */
export function batchedByUuid<Value>(
  readMany: (context: Context, uuids: readonly string[]) => Promise<Map<string, Value>>,
  missing: () => Value | Error,
): (context: Context, uuid: string) => Promise<Value> {
  const load = batched<string, Value>((context, uuids) => readMany(context, uuids.filter(isUuid)), missing);
  return (context, uuid) => load(context, uuid.toLowerCase());
}

/**
 * As `batched`, for reads with more arguments than their key: reads with the same arguments are sent together. `nodes`:
 * those of the field in the query, if the arguments are the field's.
 */
export function batchedBy<Asked, Key, Value>(
  readMany: (context: Context, asked: Asked, keys: readonly Key[]) => Promise<Map<Key, Value>>,
  missing: (key: Key) => Value | Error,
): (context: Context, asked: Asked, key: Key, nodes?: object) => Promise<Value> {
  const loaders = new WeakMap<Context, Map<string, DataLoader<Key, Value>>>();
  /** The arguments in words, by the nodes of a field, which all its parents share. */
  const words = new WeakMap<object, string>();
  return (context, asked, key, nodes) => {
    const ofContext = loaders.get(context) ?? new Map<string, DataLoader<Key, Value>>();
    loaders.set(context, ofContext);
    const name = (nodes && words.get(nodes)) ?? JSON.stringify(asked);
    if (nodes) words.set(nodes, name);
    let loader = ofContext.get(name);
    if (!loader) {
      const read = async (keys: readonly Key[]) => {
        // A loader keeps what it has read, and a WeakMap keeps its values until the next full garbage collection.
        ofContext.delete(name);
        const values = await readMany(context, asked, [...new Set(keys)]);
        return keys.map((each) => values.get(each) ?? missing(each));
      };
      loader = new DataLoader<Key, Value>(read, { cache: false });
      ofContext.set(name, loader);
    }
    return loader.load(key);
  };
}

/**
 * Reads one thing by its key, before a request has a context. The reads of all requests in the same turn of the event
 * loop are one statement. It begins after all of them were requested, so each sees what was committed before its
 * request.
 */
export function gathered<Key, Value>(
  readMany: (db: Database, keys: readonly Key[]) => Promise<Map<Key, Value>>,
): (db: Database, key: Key) => Promise<Value | undefined> {
  const loaders = new WeakMap<Database, DataLoader<Key, Value | undefined>>();
  return (db, key) => {
    const known = loaders.get(db);
    if (known) return known.load(key);
    const read = async (keys: readonly Key[]) => {
      const values = await readMany(db, [...new Set(keys)]);
      return keys.map((each) => values.get(each));
    };
    const loader = new DataLoader<Key, Value | undefined>(read, {
      cache: false,
      batchScheduleFn: (run) => void setImmediate(run),
    });
    loaders.set(db, loader);
    return loader.load(key);
  };
}
