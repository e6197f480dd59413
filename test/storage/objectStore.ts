import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * An object storage for the tests, in memory: the S3 calls that `gateway/storage/bucket.ts` makes through the real SDK.
 * A body that does not match its signature is refused, as S3 does. Unknown calls are answered with 501, never with a
 * silent success.
 */

type StoredObject = { content: Buffer; storedAt: Date };
type Upload = { key: string; parts: Map<number, Buffer> };
/** The keys on one page of a listing: few, so that the tests read more than one page. */
const pageSize = 20;

const etagOf = (content: Buffer): string => `"${createHash("md5").update(content).digest("hex")}"`;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const xml = (name: string, content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${name}>`;

/** An error that the storage answers with instead of doing what was requested. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const signed = request.headers["x-amz-content-sha256"];
  if (request.headers["content-encoding"]?.includes("aws-chunked")) throw new Refusal(501, "NotImplemented");
  if (
    typeof signed === "string" &&
    /^[0-9a-f]{64}$/.test(signed) &&
    createHash("sha256").update(body).digest("hex") !== signed
  )
    throw new Refusal(400, "XAmzContentSHA256Mismatch");
  return body;
}

/** The objects of one bucket, and the operations on them. */
class Objects {
  private readonly stored = new Map<string, StoredObject>();
  private readonly uploads = new Map<string, Upload>();

  find(key: string): StoredObject {
    const object = this.stored.get(key);
    if (!object) throw new Refusal(404, "NoSuchKey");
    return object;
  }
  store(key: string, content: Buffer): string {
    this.stored.set(key, { content, storedAt: new Date() });
    return etagOf(content);
  }
  remove(key: string): void {
    this.stored.delete(key);
  }
  list(prefix: string, delimiter: string, after: string): string {
    // As S3 does: keys with a delimiter after the prefix are listed once, by their common beginning, in the order of
    // all keys.
    const folderOf = (key: string) =>
      delimiter && key.slice(prefix.length).includes(delimiter)
        ? key.slice(0, key.indexOf(delimiter, prefix.length) + 1)
        : key;
    const found = [...this.stored.keys()].filter((key) => key.startsWith(prefix)).map(folderOf);
    const keys = [...new Set(found)].filter((key) => key > after).toSorted();
    const page = keys.slice(0, pageSize);
    const contents = page.map((key) => {
      if (!this.stored.has(key)) return `<CommonPrefixes><Prefix>${escaped(key)}</Prefix></CommonPrefixes>`;
      const { content, storedAt } = this.find(key);
      return `<Contents><Key>${escaped(key)}</Key><LastModified>${storedAt.toISOString()}</LastModified><ETag>${escaped(etagOf(content))}</ETag><Size>${content.length}</Size></Contents>`;
    });
    const more = keys.length > page.length;
    const next = more ? `<NextContinuationToken>${escaped(page.at(-1)!)}</NextContinuationToken>` : "";
    return xml(
      "ListBucketResult",
      `<IsTruncated>${more}</IsTruncated><KeyCount>${page.length}</KeyCount>${next}${contents.join("")}`,
    );
  }
  begin(key: string): string {
    const id = String(this.uploads.size + 1);
    this.uploads.set(id, { key, parts: new Map() });
    return xml("InitiateMultipartUploadResult", `<Key>${escaped(key)}</Key><UploadId>${id}</UploadId>`);
  }
  storePart(id: string, part: number, content: Buffer): string {
    this.upload(id).parts.set(part, content);
    return etagOf(content);
  }
  complete(id: string): string {
    const { key, parts } = this.upload(id);
    const content = Buffer.concat([...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part));
    this.uploads.delete(id);
    return xml(
      "CompleteMultipartUploadResult",
      `<Key>${escaped(key)}</Key><ETag>${escaped(this.store(key, content))}</ETag>`,
    );
  }
  abort(id: string): void {
    this.uploads.delete(id);
  }
  private upload(id: string): Upload {
    const upload = this.uploads.get(id);
    if (!upload) throw new Refusal(404, "NoSuchUpload");
    return upload;
  }
}

function sendObject(request: IncomingMessage, response: ServerResponse, { content, storedAt }: StoredObject): void {
  const headers = { etag: etagOf(content), "last-modified": storedAt.toUTCString(), "accept-ranges": "bytes" };
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  const start = Number(from ?? 0);
  const end = Math.min(to ? Number(to) : content.length - 1, content.length - 1);
  if (from !== undefined && start >= content.length) throw new Refusal(416, "InvalidRange");
  const part = content.subarray(start, end + 1);
  const range = from === undefined ? {} : { "content-range": `bytes ${start}-${end}/${content.length}` };
  response.writeHead(from === undefined ? 200 : 206, { ...headers, ...range, "content-length": part.length });
  response.end(request.method === "HEAD" ? undefined : part);
}

async function answer(
  objects: Objects,
  { bucket, accessKeyId }: StoreSettings,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request);
  if (!request.headers.authorization?.startsWith(`AWS4-HMAC-SHA256 Credential=${accessKeyId}/`))
    throw new Refusal(403, "AccessDenied");
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://store");
  const [, requestedBucket, ...rest] = pathname.split("/").map(decodeURIComponent);
  if (requestedBucket !== bucket) throw new Refusal(404, "NoSuchBucket");
  const key = rest.join("/");
  const uploadId = searchParams.get("uploadId");
  const sendXml = (text: string) => response.writeHead(200, { "content-type": "application/xml" }).end(text);
  switch (`${request.method} ${key === "" ? "bucket" : "object"}`) {
    case "HEAD bucket":
      return void response.writeHead(200).end();
    case "GET bucket":
      return void sendXml(
        objects.list(
          searchParams.get("prefix") ?? "",
          searchParams.get("delimiter") ?? "",
          searchParams.get("continuation-token") ?? "",
        ),
      );
    case "GET object":
    case "HEAD object":
      return sendObject(request, response, objects.find(key));
    case "PUT object": {
      const etag =
        uploadId === null
          ? objects.store(key, body)
          : objects.storePart(uploadId, Number(searchParams.get("partNumber")), body);
      return void response.writeHead(200, { etag }).end();
    }
    case "POST object":
      if (searchParams.has("uploads")) return void sendXml(objects.begin(key));
      if (uploadId !== null) return void sendXml(objects.complete(uploadId));
      throw new Refusal(501, "NotImplemented");
    case "DELETE object":
      if (uploadId === null) objects.remove(key);
      else objects.abort(uploadId);
      return void response.writeHead(204).end();
    default:
      throw new Refusal(501, "NotImplemented");
  }
}

type StoreSettings = { bucket: string; accessKeyId: string };

/**
 * Starts an empty object storage with one bucket. Returns how a gateway reaches it, and how to stop it. `look` gets
 * each request, and may throw a `Refusal`.
 */
export async function startObjectStore(look: (request: IncomingMessage) => void = () => {}) {
  const settings = { bucket: "platform", region: "us-east-1", accessKeyId: "tests", secretAccessKey: "tests-only" };
  const objects = new Objects();
  const server = createServer((request, response) => {
    const handle = async () => {
      look(request);
      await answer(objects, settings, request, response);
    };
    handle().catch((error: unknown) => {
      const { status, code } = error instanceof Refusal ? error : { status: 500, code: "InternalError" };
      response.writeHead(status, { "content-type": "application/xml" });
      response.end(
        request.method === "HEAD" ? undefined : xml("Error", `<Code>${code}</Code><Message>${code}</Message>`),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: { ...settings, endpoint: `http://127.0.0.1:${port}` },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
export type ObjectStore = Awaited<ReturnType<typeof startObjectStore>>;
