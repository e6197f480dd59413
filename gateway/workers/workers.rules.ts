/** How many processes serve the port, and what each of them may do. */

export const mostWorkers = 64;

/**
 * The workers on a machine with this number of processors. Two are shared with PostgreSQL and the jobs, so a second
 * worker would only take its memory. The embedded database is made for small machines.
 */
export const workersOn = (processors: number, isEmbedded: boolean): number =>
  processors > 2 ? Math.min(processors, isEmbedded ? 4 : mostWorkers) : 1;

/** A worker's part of what the whole gateway may do at a time: at least one. */
export const partOf = (most: number, workers: number): number => Math.max(1, Math.floor(most / workers));

/** Connections of a worker for statements that are not heavy, and of the process that starts the workers. */
export const connectionsOfWorker = 10;
export const connectionsOfPrimary = 4;

/** The most connections of a worker to the database, with the watch's. */
const connectionsOf = (workers: number, heavy: number): number => connectionsOfWorker + 1 + partOf(heavy, workers);

/** The most workers, up to `wanted`, whose connections the database allows. */
export function workersWithin(wanted: number, heavy: number, maxConnections: number): number {
  let workers = wanted;
  while (workers > 1 && workers * connectionsOf(workers, heavy) + connectionsOfPrimary > maxConnections) workers -= 1;
  return workers;
}
