import type { Derived } from "./derived.ts";
import { feed } from "./feed.ts";
import { identifiers } from "./identifiers.ts";
import { latest } from "./latest.ts";
import { places } from "./places.ts";
import { revision } from "./revision.ts";
import { silence } from "./silence.ts";
import { state } from "./state.ts";

/**
 * All derived tables, in the order in which they are recounted: rows by facility before the counts by place, which are
 * their sums.
 */
export const allDerived: readonly Derived[] = [feed, identifiers, latest, silence, state, places, revision];
