import type { RevisedNoun } from "../../db/derived/revision.ts";

/** The nouns from which kept answers come, in the groups in which REST routes and GraphQL types read them. */

export const places: readonly RevisedNoun[] = ["reference"];
export const sites: readonly RevisedNoun[] = [...places, "facility", "assessment", "tdb", "download"];
export const visits: readonly RevisedNoun[] = [...sites, "user"];
