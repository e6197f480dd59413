import type { NounsRead } from "../../db/derived/reads.ts";
import type { RevisedNoun } from "../../db/derived/revision.ts";
import { databaseNoting } from "../../db/engine/through.ts";
import type { Context, Viewer } from "../context.ts";

export type { NounsRead };

/**
 * Records what the answer of a reading request depends on, while its acts run: the nouns that its statements read, and the rights and personal
 * properties that its acts used. No separate list of rules is needed, because a property that no act reads cannot change the answer.
 */
export type ReadRecord = {
  nouns: Set<RevisedNoun>;
  /** values of the viewer by path, such as `privileges.administrator` */
  personal: Map<string, unknown>;
  /** whether it began before the first act, and nothing else was read */
  isWhole: boolean;
  nounsRead: NounsRead;
};

/** An empty record, for a request whose acts have not begun. */
export const newRecord = (nounsRead: NounsRead): ReadRecord => ({ nouns: new Set(), personal: new Map(), isWhole: false, nounsRead });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The value of a viewer at a path, for comparison. An object becomes JSON text. The empty path is the whole viewer. */
export function personalValue(viewer: Viewer, path: string): unknown {
  let value: unknown = viewer;
  if (path !== "") for (const name of path.split(".")) value = isObject(value) ? value[name] : undefined;
  return isObject(value) ? JSON.stringify(value) : value;
}

/** A viewer, or an object within it, that records each property that is read. */
function watched<Part extends object>(part: Part, path: string, note: (path: string) => void): Part {
  const pathOf = (key: string) => (path === "" ? key : `${path}.${key}`);
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof key === "symbol") return value;
      if (isObject(value)) return watched(value, pathOf(key), note);
      note(pathOf(key));
      return value;
    },
    has(target, key) {
      if (typeof key === "string") note(pathOf(key));
      return Reflect.has(target, key);
    },
    // A copy reads all properties.
    ownKeys(target) {
      note(path);
      return Reflect.ownKeys(target);
    },
  });
}

/** Parts of the context that belong to this request only. An answer that reads one of them is not kept. */
const passing = ["primary", "files", "cookies", "address", "received", "writer", "enrolling", "secondFactorOf"] as const;

/** Begins to record what a context's acts read. Call it before the first act that uses the viewer. */
export function recordReads(context: Context): void {
  const { record, viewer, db } = context;
  // A replica may not have replayed yet what the revisions already count.
  if (!record || !viewer || db !== context.primary) return;
  record.isWhole = true;
  context.viewer = watched(viewer, "", (path) => record.personal.set(path, personalValue(viewer, path)));
  context.db = databaseNoting(db, (text) => {
    const nouns = text === null ? null : record.nounsRead(text);
    if (nouns === null) record.isWhole = false;
    else for (const noun of nouns) record.nouns.add(noun);
  });
  for (const name of passing) {
    let value = context[name];
    Object.defineProperty(context, name, {
      configurable: true,
      enumerable: true,
      get() {
        record.isWhole = false;
        return value;
      },
      set(given: never) {
        record.isWhole = false;
        value = given;
      },
    });
  }
}
