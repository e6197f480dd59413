/** Whether there is room to write. The gateway can check its own disk; of PostgreSQL's disk it only knows PostgreSQL's errors. */

/** Below this the disk counts as full: PostgreSQL's write-ahead log grows by steps of 16 MB. */
export const usualLeastRoomBytes = 64 * 1024 * 1024;

const rememberedMs = 60_000;
let toldAt: number | undefined;

/** Notes that PostgreSQL refused to write, for its disk is full. */
export function noteFullDatabase(): void {
  toldAt = Date.now();
}

/** Whether PostgreSQL said so lately; we do not try to write. */
export const isDatabaseFull = (): boolean => toldAt !== undefined && Date.now() - toldAt < rememberedMs;
