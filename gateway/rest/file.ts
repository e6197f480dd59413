import type { Readable } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import { Problem } from "../problem.ts";
import { matches } from "./etag.ts";
import { sendHead } from "./lines.ts";

type ByteRange = { start: number; end: number };
/** A stored file to be sent. */
type OutgoingFile = {
  fileName: string;
  size: number;
  sha256: string;
  open: (range?: ByteRange) => Promise<Readable>;
};

/**
 * The configuration of a route for stored files: never compressed, because ETag, ranges and length describe the stored
 * bytes.
 */
export const asStored = { compress: false } as const;

/**
 * The part that a Range header asks for; null if it is outside the file; undefined if there is no such header or its
 * form is not supported.
 */
export function rangeOf(header: string | undefined, size: number): ByteRange | null | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") return Number(last) === 0 ? null : { start: Math.max(0, size - Number(last)), end: size - 1 };
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < size ? { start, end } : null;
}

/** The name for Content-Disposition: in ASCII for old programs, and exact for others. */
function dispositionOf(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w .()-]/g, "_");
  const exact = encodeURIComponent(fileName.replaceAll(/\p{Cs}/gu, "_")).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/**
 * Sends a stored file or the requested part of it, with a strong ETag and a digest of the whole file. Browsers save it
 * and never show or run it. With `isPersonal` they do not cache it.
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: OutgoingFile,
  { isPersonal = false } = {},
): Promise<FastifyReply> {
  const etag = `"${file.sha256}"`;
  const ifRange = request.headers["if-range"];
  const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, file.size) : undefined;
  const isKnown = matches(request.headers["if-none-match"], etag);
  if (range === null && !isKnown) {
    reply.header("content-range", `bytes */${file.size}`);
    throw new Problem("NO_SUCH_RANGE", `The file has ${file.size} bytes: the Range header asks for none of them.`);
  }
  reply
    .header("etag", etag)
    .header("accept-ranges", "bytes")
    .header("cache-control", isPersonal ? "no-store" : "private, no-cache")
    .header("repr-digest", `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`)
    .header("content-type", "application/octet-stream")
    .header("content-disposition", dispositionOf(file.fileName))
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", "default-src 'none'; sandbox");
  if (isKnown) return reply.status(304).send();
  if (range) reply.status(206).header("content-range", `bytes ${range.start}-${range.end}/${file.size}`);
  reply.header("content-length", range ? range.end - range.start + 1 : file.size);
  if (request.method === "HEAD") return sendHead(reply);
  return reply.send(await file.open(range ?? undefined));
}
