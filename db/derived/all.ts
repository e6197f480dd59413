import type { Derived } from "./derived.ts";
import { feed } from "./feed.ts";
import { identifiers } from "./identifiers.ts";
import { latest } from "./latest.ts";
import { places } from "./places.ts";
import { revision } from "./revision.ts";
import { silence } from "./silence.ts";
import { state } from "./state.ts";

/** Everything that is derived. Rows by facility come before the counts by place, which add them up: so they are counted anew. */
export const allDerived: readonly Derived[] = [feed, identifiers, latest, silence, state, places, revision];
