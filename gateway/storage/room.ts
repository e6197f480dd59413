/** Whether there is room to write. Of its own disk a gateway can ask; of PostgreSQL's it knows what PostgreSQL said. */

/** Below this the disk counts as full: PostgreSQL's log of changes grows by steps of 16 MB. */
export const usualLeastRoomBytes = 64 * 1024 * 1024;

const rememberedMs = 60_000;
let toldAt: number | undefined;

/** Notes that PostgreSQL refused to write, for its disk is full. */
export function noteFullDatabase(): void {
  toldAt = Date.now();
}

/** Whether PostgreSQL said so lately; it is not asked to try. */
export const isDatabaseFull = (): boolean => toldAt !== undefined && Date.now() - toldAt < rememberedMs;
