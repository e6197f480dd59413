import type { IncomingMessage } from "node:http";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { inflateRawSync } from "node:zlib";

import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { facilityOf, isBound } from "./reach.ts";
import { manifestLimitBytes, manifestName, parseManifest, TdbxFault, type TdbxManifest } from "./tdbx.rules.ts";

/**
 * What a file's first bytes tell while the rest is still on its way: exporters write the manifest first. A TDB of a facility that a machine
 * may not send of is refused there, before gigabytes of it. The archive's directory at its end has the last word (receive.ts).
 */

/** How much of a file is looked at; a manifest that goes on behind it is read when all is there. */
export const headBytes = 64 * 1024;

type Named = TdbxManifest["facility"];
/** `more`: the bytes end too early to say. Undefined: the head does not tell. */
type Told = Named | "more" | undefined;

const localHeaderBytes = 30;
const localHeader = Buffer.from("PK\x03\x04");
const isEncrypted = (flags: number): boolean => (flags & 1) !== 0;
/** The size stands behind the content, as it does where an archive is made while it is sent. */
const isSizeLeftOpen = (flags: number): boolean => (flags & 8) !== 0;

function inflated(content: Buffer): Buffer | "more" | undefined {
  try {
    return inflateRawSync(content, { maxOutputLength: manifestLimitBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "Z_BUF_ERROR" ? "more" : undefined;
  }
}

function contentOf(head: Buffer): Buffer | "more" | undefined {
  if (!head.subarray(0, localHeader.length).equals(localHeader.subarray(0, head.length))) return undefined;
  if (head.length < localHeaderBytes) return "more";
  const flags = head.readUInt16LE(6);
  const method = head.readUInt16LE(8);
  const nameEnd = localHeaderBytes + head.readUInt16LE(26);
  const start = nameEnd + head.readUInt16LE(28);
  if (head.length < Math.min(start, headBytes)) return "more";
  if (head.toString("utf8", localHeaderBytes, nameEnd) !== manifestName || isEncrypted(flags)) return undefined;
  if (method === 8) return inflated(head.subarray(start));
  if (method !== 0 || isSizeLeftOpen(flags)) return undefined;
  const end = start + head.readUInt32LE(18);
  if (end > headBytes) return undefined;
  return head.length < end ? "more" : head.subarray(start, end);
}

/** The facility that a file's first bytes name. */
function facilityInHead(head: Buffer): Told {
  const content = contentOf(head);
  if (content === undefined || content === "more") return content;
  try {
    return parseManifest(content).facility;
  } catch {
    return undefined;
  }
}

type Look = { before?: Buffer; isComplete: () => boolean };

/**
 * Reads as much of what comes as tells the facility (`before`: what came earlier of the file) and puts it back. A line that breaks is left to whoever
 * reads on. `isComplete` tells of the end before it is read: behind it nothing can be put back.
 */
function peek(content: Readable, { before = Buffer.alloc(0), isComplete }: Look): Promise<Told> {
  return new Promise((resolve) => {
    const taken: Buffer[] = [];
    let told: Told = "more";
    const end = () => {
      content.off("readable", look).off("end", end).off("close", end).off("error", end);
      if (taken.length > 0) content.unshift(Buffer.concat(taken));
      resolve(told);
    };
    const look = () => {
      for (let piece: Buffer | null; (piece = content.read() as Buffer | null) !== null; ) taken.push(piece);
      const head = Buffer.concat([before, ...taken]);
      told = facilityInHead(head);
      if (told !== "more" || head.length >= headBytes || isComplete()) end();
    };
    content.on("readable", look).on("end", end).on("close", end).on("error", end);
  });
}

async function faultOfHead(context: Context, content: Readable, look: Look): Promise<string | undefined> {
  const told = await peek(content, look);
  return told === undefined || told === "more" ? undefined : faultOfFacility(context, told);
}

/** A file as it comes, with why it cannot be accepted where its sender is bound to some facilities and its head tells another. `whole` is to be read in its place. */
export async function lookAtHead(context: Context, content: Readable): Promise<{ fault?: string | undefined; whole: Readable }> {
  if (!isBound(context)) return { whole: content };
  // A form's file does not tell of its end to who comes later.
  const whole = new PassThrough();
  pipeline(content, whole, () => {});
  return { fault: await faultOfHead(context, whole, { isComplete: () => whole.writableEnded }), whole };
}

/** Why no TDB of this facility can be accepted from the caller. */
async function faultOfFacility(context: Context, named: Named): Promise<string | undefined> {
  try {
    await facilityOf(context, named);
    return undefined;
  } catch (error) {
    if (error instanceof TdbxFault) return error.message;
    throw error;
  }
}

type Announced = { fileName?: string; size: number };

async function refuse(context: Context, { fileName, size }: Announced, reason: string): Promise<Problem> {
  await recordAudit(context, { action: "tdb.upload", outcome: "failed", details: { fileName, size, reason } });
  return new Problem("INVALID", reason);
}

/** Refuses an upload whose sender tells, before its first byte, a facility that no TDB can be accepted of. @throws Problem INVALID */
export async function checkAnnouncedFacility(context: Context, announced: Announced, named: { uuid?: string | undefined; hmisCode?: string | undefined }): Promise<void> {
  if (named.uuid === undefined && named.hmisCode === undefined) return;
  const fault = await faultOfFacility(context, named);
  if (fault) throw await refuse(context, announced, fault);
}

/**
 * Looks at the body of a request that begins a file, or goes on in its head (`before`: what came earlier), where its sender is bound to some
 * facilities; and puts it back.
 *
 * @throws Problem INVALID
 */
export async function checkHead(context: Context, announced: Announced, body: IncomingMessage, before?: Buffer): Promise<void> {
  const fault = await faultOfHead(context, body, { ...(before ? { before } : {}), isComplete: () => body.complete });
  if (fault) throw await refuse(context, announced, fault);
}
