import type { FastifyReply, FastifyRequest } from "fastify";

import { sharedLocks } from "../../db/engine/lock.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { batchLimitBytes, batchLimitMessage } from "./upload.rules.ts";

/** Limits of requests with files, by REST or GraphQL. */

export type UploadLimits = {
  /** the longest pause between two bytes */
  idleSeconds: number;
  /** the longest time that an upload in one request may take */
  mostMinutes: number;
  /** the most uploads of one person at a time, at all gateways together */
  perUser: number;
  /** the same for a machine: a service account or a site */
  perMachine: number;
  /** the most uploads of one gateway at a time */
  atOnce: number;
  /**
   * how long a request waits for a place at this gateway; by default shorter than the time after which senders give up
   * (20 s)
   */
  queueSeconds?: number;
};

export const usualLimits: UploadLimits = { idleSeconds: 60, mostMinutes: 30, perUser: 8, perMachine: 16, atOnce: 64 };

/** The most bytes that the boundaries and headers of a form may add to its files. */
const frameBytes = 1024 * 1024;
const lingerMs = 500;

/**
 * Closes the connection of a request that was answered before its body was read, because the rest of the body may be 30
 * GB. The caller has half a second to receive the answer first.
 */
export function closeUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.raw.once("finish", () => {
    if (raw.complete || raw.destroyed) return;
    raw.unpipe();
    raw.resume();
    // Closing the socket alone would not stop the readers of a request that was already answered.
    setTimeout(() => raw.complete || raw.destroy(), lingerMs).unref();
  });
}

/**
 * Refuses a request whose Content-Length is too large, or larger than the free space.
 *
 * @throws Problem TOO_LARGE, STORAGE_FULL
 */
export async function checkAnnounced(request: FastifyRequest): Promise<void> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > batchLimitBytes + frameBytes) throw new Problem("TOO_LARGE", batchLimitMessage);
  await request.context.files.staging.checkRoom(announced);
}

const usualQueueSeconds = 10;
/** How many callers may wait, per place. */
const queuePerPlace = 16;

/**
 * A random Retry-After from 5 to 30 s, so that callers that were refused at the same moment do not all return at the
 * same moment.
 */
const spreadSeconds = (): number => 5 + Math.floor(Math.random() * 26);

/**
 * The upload places of one gateway. If all are taken, callers wait in a queue, because most files are small and places
 * are soon free, even if a thousand sites send at once.
 */
function placesOf(atOnce: number, queueSeconds: number) {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const busy = () =>
    new Problem("TOO_MANY", "The server is busy with other uploads. Try again in a moment.", {
      retryAfterSeconds: spreadSeconds(),
    });
  return {
    taken: () => taken,
    /** @throws Problem TOO_MANY */
    async take(): Promise<void> {
      if (taken < atOnce) {
        taken += 1;
        return;
      }
      if (waiting.length >= atOnce * queuePerPlace) throw busy();
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(busy());
        }, queueSeconds * 1000);
        waiting.push(turn);
      });
    },
    /** Gives a place back: to the caller that waits longest, if any. */
    leave(): void {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
  };
}

/**
 * Limits the uploads at a time: of each person or machine at all gateways, by shared locks (one for each of their
 * places); and of all callers at this gateway.
 */
export function uploadGate({ perUser, perMachine, atOnce, queueSeconds = usualQueueSeconds }: UploadLimits) {
  const places = placesOf(atOnce, queueSeconds);
  return {
    /** the number of uploads that this gateway is receiving */
    underWay: places.taken,
    /** Takes a place. Returns a function that gives it back. @throws Problem TOO_MANY */
    async enter({ viewer, primary }: Context): Promise<() => Promise<void>> {
      const retryAfterSeconds = 30;
      await places.take();
      try {
        const locks = sharedLocks(primary);
        const most = viewer?.machine ? perMachine : perUser;
        for (let place = 1; place <= most; place += 1) {
          const giveBack = await locks.tryTake(`upload ${place} of ${viewer?.userUuid}`);
          if (!giveBack) continue;
          return () => {
            places.leave();
            return giveBack();
          };
        }
        throw new Problem("TOO_MANY", `You have ${most} uploads under way. Wait for one of them to end.`, {
          retryAfterSeconds,
        });
      } catch (error) {
        places.leave();
        throw error;
      }
    },
  };
}
export type UploadGate = ReturnType<typeof uploadGate>;

/**
 * Runs an upload as long as its bytes arrive. If they stop for too long, or the time is over, the caller is answered
 * immediately, and the work ends when the connection is closed after that. In any case the answer lists the files that
 * were received before.
 *
 * @throws Problem TIMEOUT, TOO_MANY, and what the work throws
 */
export async function whileUploading<Result>(
  { raw, context }: FastifyRequest,
  { gate, idleSeconds, mostMinutes }: { gate: UploadGate; idleSeconds: number; mostMinutes?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const leave = await gate.enter(context);
  // The sender has closed the connection while this request waited for a place. The work would not notice that.
  if (raw.destroyed) {
    await leave();
    throw new Problem("MALFORMED", "The connection was closed.");
  }
  const start = Date.now();
  let heard = start;
  let bytes = raw.socket.bytesRead;
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    const look = () => {
      const now = Date.now();
      // If bytes are waiting for us, the sender has not paused.
      if (raw.complete || raw.readableLength > 0 || raw.socket.bytesRead !== bytes) heard = now;
      bytes = raw.socket.bytesRead;
      if (now - heard > idleSeconds * 1000)
        reject(new Problem("TIMEOUT", `No byte has come for ${idleSeconds} seconds.`));
      else if (mostMinutes !== undefined && !raw.complete && now - start > mostMinutes * 60_000)
        reject(
          new Problem(
            "TIMEOUT",
            `The upload took longer than ${mostMinutes} minutes. Use the resumable upload on a slow line.`,
          ),
        );
    };
    timer = setInterval(look, Math.min(idleSeconds * 250, 5000));
  });
  const untilLeft = async () => {
    try {
      return await work();
    } finally {
      await leave();
    }
  };
  try {
    return await Promise.race([untilLeft(), expired]);
  } catch (error) {
    const files = context.received ?? [];
    throw error instanceof Problem && files.length > 0
      ? new Problem(error.code, error.message, { files, ...error.extra })
      : error;
  } finally {
    clearInterval(timer);
  }
}

declare module "fastify" {
  interface FastifyInstance {
    uploads: UploadLimits & { gate: UploadGate };
  }
}
