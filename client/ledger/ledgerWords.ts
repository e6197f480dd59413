import { type Direction, type LedgerKind, ledgerKinds } from "../../db/ledger/ledger.rules.ts";

/** The words of the ledger in the address and in the interfaces; gateway/ledger/ledgerWords.rules.ts has those for people. */

/** The three directions that have a tile, with their names. */
export const directionTitles = { better: "Better", worse: "Worse", new: "New" } as const;
export type TileDirection = keyof typeof directionTitles;
export const isTile = (direction: string | null): direction is TileDirection =>
  direction !== null && Object.hasOwn(directionTitles, direction);

/** The word of the interfaces for a word of the address or the rules, and back. */
export const nameOf = (word: string): string => word.replaceAll(/[A-Z]/g, "_$&").toUpperCase();
const kindsByName = new Map(ledgerKinds.map((kind) => [nameOf(kind), kind]));
export const kindOf = (name: string): LedgerKind => kindsByName.get(name)!;

/** The direction of a name of GraphQL. */
export const directionOf = (name: string): Direction => name.toLowerCase() as Direction;
