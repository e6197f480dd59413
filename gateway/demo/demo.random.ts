import { createHash } from "node:crypto";

/** Pseudo-random values that are the same at each start: they depend only on the name that was given to `draw`. */
export type Draw = {
  /** from 0 to 1 (excluded) */
  number: () => number;
  /** a whole number between both, included */
  between: (least: number, most: number) => number;
  /** whether it happens, given how probable it is */
  chance: (probability: number) => boolean;
  pick: <T>(items: readonly T[]) => T;
};

const digest = (name: string): Buffer => createHash("sha256").update(`demonstration ${name}`).digest();

/** A generator (mulberry32) whose seed is the hash of a name. */
export function draw(name: string): Draw {
  let state = digest(name).readUInt32LE();
  const number = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (least: number, most: number) => least + Math.floor(number() * (most - least + 1));
  return {
    number,
    between,
    chance: (probability) => number() < probability,
    pick: (items) => items[between(0, items.length - 1)]!,
  };
}

/** A UUID in the form of version 7 or 4, always the same for the same name. */
export function uuidOf(name: string, version: 4 | 7 = 4): string {
  const hex = digest(`uuid ${name}`).toString("hex");
  const time = version === 7 ? `0190${hex.slice(0, 8)}` : hex.slice(0, 12);
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-${version}${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A text of letters of an alphabet, always the same for the same name. */
export function tokenOf(name: string, length: number, alphabet: string): string {
  const { pick } = draw(`token ${name}`);
  return Array.from({ length }, () => pick([...alphabet])).join("");
}

/* Days, as strings YYYY-MM-DD */

const dayMilliseconds = 86_400_000;
const toTime = (day: string): number => Date.parse(`${day}T00:00:00Z`);

export const addDays = (day: string, days: number): string =>
  new Date(toTime(day) + days * dayMilliseconds).toISOString().slice(0, 10);
export const daysBetween = (from: string, to: string): number =>
  Math.round((toTime(to) - toTime(from)) / dayMilliseconds);

const two = (value: number): string => String(value).padStart(2, "0");
/**
 * A time of that day as text without a zone. The database reads it in the zone of its session, which is the ministry's.
 */
export const moment = (day: string, hour: number, minute: number, second = 0): string =>
  `${day} ${two(hour)}:${two(minute)}:${two(second)}`;
