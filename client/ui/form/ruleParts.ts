/**
 * Fetches and runs zod before the rules, as separate steps: running everything at once would block a slow phone for longer than a key press
 * may take.
 */
export const ruleParts = [() => import("./ruleMaker.ts"), () => import("../../../gateway/calendar/period.rules.ts")];
