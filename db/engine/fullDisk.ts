/** Remembers whether PostgreSQL's disk is full, which only PostgreSQL's errors show. */
const rememberedMs = 60_000;
let notedAt: number | undefined;

/** Records that PostgreSQL refused to write because its disk is full. */
export function noteFullDatabase(): void {
  notedAt = Date.now();
}

/** Whether PostgreSQL reported a full disk in the last minute. */
export const isDatabaseFull = (): boolean => notedAt !== undefined && Date.now() - notedAt < rememberedMs;
