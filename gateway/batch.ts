import DataLoader from "dataloader";

import type { Context } from "./context.ts";

/**
 * A read of one thing by its key that is sent together with the request's other reads of the same kind, in one statement.
 * `readMany` answers a map; `missing` makes the value (or the Error) for a key that the map lacks.
 */
export function batched<Key, Value>(
  readMany: (context: Context, keys: readonly Key[]) => Promise<Map<Key, Value>>,
  missing: (key: Key) => Value | Error,
): (context: Context, key: Key) => Promise<Value> {
  const loaders = new WeakMap<Context, DataLoader<Key, Value>>();
  return (context, key) => {
    let loader = loaders.get(context);
    if (!loader) {
      loader = new DataLoader<Key, Value>(async (keys) => {
        const values = await readMany(context, keys);
        return keys.map((each) => values.get(each) ?? missing(each));
      });
      loaders.set(context, loader);
    }
    return loader.load(key);
  };
}
