/** Whether PostgreSQL's disk is full: only PostgreSQL's errors can tell. */
const rememberedMs = 60_000;
let toldAt: number | undefined;

/** Records that PostgreSQL refused to write because its disk is full. */
export function noteFullDatabase(): void {
  toldAt = Date.now();
}

/** Whether PostgreSQL said so in the last minute. */
export const isDatabaseFull = (): boolean => toldAt !== undefined && Date.now() - toldAt < rememberedMs;
