import type { IncomingMessage } from "node:http";
import { PassThrough, pipeline, type Readable } from "node:stream";
import { inflateRawSync } from "node:zlib";

import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { Problem } from "../problem.ts";
import { reachableFacility, isBound } from "./reach.ts";
import { manifestLimitBytes, manifestName, parseManifest, TdbxFault, type TdbxManifest } from "./tdbx.rules.ts";

/**
 * Reads the manifest from a file's first bytes while the rest is still being sent: exporters write it first. A TDB of a
 * facility for which a machine may not send is refused at once, instead of after gigabytes. The archive's directory at
 * the end is still decisive (receive.ts).
 */

/** How many bytes are read. A manifest that is longer is read when the file is complete. */
export const headBytes = 64 * 1024;

type Named = TdbxManifest["facility"];
/** The facility that the first bytes contain. `more`: more bytes are needed. Undefined: they do not contain one. */
type Finding = Named | "more" | undefined;

const localHeaderBytes = 30;
const localHeader = Buffer.from("PK\x03\x04");
const isEncrypted = (flags: number): boolean => (flags & 1) !== 0;
/** The size comes after the content, because the archive was created while it was sent. */
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
function facilityInHead(head: Buffer): Finding {
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
 * Reads the part of a stream that names the facility and puts it back. `before` is the part of the file that arrived
 * earlier. A broken connection is left to the next reader. `isComplete` returns whether the end was received. The end
 * itself is not read, because nothing can be put back after it.
 */
function peek(content: Readable, { before = Buffer.alloc(0), isComplete }: Look): Promise<Finding> {
  return new Promise((resolve) => {
    const taken: Buffer[] = [];
    let finding: Finding = "more";
    const end = () => {
      content.off("readable", look).off("end", end).off("close", end).off("error", end);
      if (taken.length > 0) content.unshift(Buffer.concat(taken));
      resolve(finding);
    };
    const look = () => {
      for (let piece: Buffer | null; (piece = content.read() as Buffer | null) !== null;) taken.push(piece);
      const head = Buffer.concat([before, ...taken]);
      finding = facilityInHead(head);
      if (finding !== "more" || head.length >= headBytes || isComplete()) end();
    };
    content.on("readable", look).on("end", end).on("close", end).on("error", end);
  });
}

async function faultOfHead(context: Context, content: Readable, look: Look): Promise<string | undefined> {
  const finding = await peek(content, look);
  return finding === undefined || finding === "more" ? undefined : faultOfFacility(context, finding);
}

/**
 * A file's stream, and the reason for a refusal if its sender is limited to some facilities and the first bytes name
 * another. Read `whole` instead of the original stream.
 */
export async function lookAtHead(
  context: Context,
  content: Readable,
): Promise<{ fault?: string | undefined; whole: Readable }> {
  if (!isBound(context)) return { whole: content };
  // The file of a form does not report its end to a reader that attaches later.
  const whole = new PassThrough();
  pipeline(content, whole, () => {});
  return { fault: await faultOfHead(context, whole, { isComplete: () => whole.writableEnded }), whole };
}

/** Why no TDB of this facility can be accepted from the caller. */
async function faultOfFacility(context: Context, named: Named): Promise<string | undefined> {
  try {
    await reachableFacility(context, named);
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

/**
 * Refuses an upload whose sender announces, before the first byte, a facility for which the caller may not send.
 * @throws Problem INVALID
 */
export async function checkAnnouncedFacility(
  context: Context,
  announced: Announced,
  named: { uuid?: string | undefined; hmisCode?: string | undefined },
): Promise<void> {
  if (named.uuid === undefined && named.hmisCode === undefined) return;
  const fault = await faultOfFacility(context, named);
  if (fault) throw await refuse(context, announced, fault);
}

/**
 * Checks the body of a request that begins a file or continues its first bytes (`before`: the earlier part), if its
 * sender is limited to some facilities. The body is put back.
 *
 * @throws Problem INVALID
 */
export async function checkHead(
  context: Context,
  announced: Announced,
  body: IncomingMessage,
  before?: Buffer,
): Promise<void> {
  const fault = await faultOfHead(context, body, { ...(before ? { before } : {}), isComplete: () => body.complete });
  if (fault) throw await refuse(context, announced, fault);
}
