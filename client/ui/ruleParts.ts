/**
 * What rules are made of, to be fetched before the rules themselves and run in steps of its own: all at once takes a slow phone
 * longer than one waits for a key.
 */
export const ruleParts = [() => import("./ruleMaker.ts"), () => import("../../gateway/period.rules.ts")];
