import { heardFetch } from "./ui/network/heardFetch.ts";

/**
 * How the client sends its queries and mutations: by the hash of their text, which the build wrote beside it
 * (client/build/documents.ts). Queries are sent by GET, with the tag of the answer that this client already has. A
 * gateway that does not know a hash, because it is older or newer than this client, gets the text.
 */

const address = "/graphql";
const hashes = new Map<string, string>();
/** Hashes that the gateway did not know. */
const unknown = new Set<string>();
/** The longest address that every server and proxy accepts. */
const longestAddress = 4000;

/** Stores the hash of a document and returns its text. The build puts calls of it where documents are used. */
export function nameDocument(name: string, hash: string, text: string): string {
  hashes.set(name, hash);
  return text;
}

type Answer = { tag: string; text: string };
/**
 * Where answers are stored beyond this window, by address. An answer that cannot be stored or found is asked for again.
 */
export type AnswerTexts = {
  find: (url: string) => Promise<Answer | undefined>;
  keep: (url: string, answer: Answer) => Promise<void>;
};

let texts: AnswerTexts | undefined;
/** Answers of this session by address; the last used one is at the end. */
const answers = new Map<string, Answer>();
const mostAnswers = 60;

/** Forgets every answer of this window (at sign-in and sign-out); from now on they are stored in `where`. */
export function forgetAnswerTexts(where?: AnswerTexts): void {
  answers.clear();
  texts = where;
}

function remember(url: string, answer: Answer): void {
  answers.delete(url);
  answers.set(url, answer);
  if (answers.size > mostAnswers) answers.delete(answers.keys().next().value!);
}

/** Asks by GET. An answer that has not changed is not sent again. */
async function read(url: string, { credentials, signal, headers: given }: RequestInit): Promise<Response> {
  const place = texts;
  const known = answers.get(url) ?? (await place?.find(url).catch(() => undefined));
  const headers = new Headers(given);
  headers.delete("Content-Type");
  // The gateway answers JSON, whatever is accepted. A longer header would cost its bytes with each query.
  headers.set("Accept", "*/*");
  if (known) headers.set("If-None-Match", known.tag);
  // The server already says that the answer must not be stored; saying it here too would cost two more headers.
  const response = await heardFetch(url, { credentials, signal, headers });
  if (known && response.status === 304) {
    remember(url, known);
    return new Response(known.text, { headers: response.headers });
  }
  const tag = response.headers.get("ETag");
  if (response.ok && tag) {
    const keep = (text: string) => {
      // Somebody else may have signed in meanwhile.
      if (place !== texts) return;
      remember(url, { tag, text });
      return place?.keep(url, { tag, text });
    };
    response
      .clone()
      .text()
      .then(keep)
      .catch(() => {});
  }
  return response;
}

/**
 * Whether a gateway did not understand a hash. A newer gateway says so; one from before hashes says that the query is
 * missing.
 */
async function isUnknown(response: Response): Promise<boolean> {
  if (response.status !== 400 && response.status !== 404) return false;
  return /PERSISTED_QUERY_NOT_FOUND|query string|documentId/.test(await response.clone().text());
}

/** The status of a proxy while one gateway replaces another, and of a gateway while its database is not available. */
const passingStatuses = new Set([502, 503]);
/**
 * Long enough for a proxy to notice that a gateway is gone. Random, so that all clients of that gateway do not come
 * back together.
 */
const pauseMs = () => 200 + Math.random() * 400;

/**
 * Asks, and asks once more if the gateway was gone. For queries only, because a mutation may already have been
 * executed.
 */
async function askTwice(ask: () => Promise<Response>, signal?: AbortSignal | null): Promise<Response> {
  const first = await ask().catch((error: unknown) => {
    // A lost connection is a TypeError. Without network, and after a silence of half a minute, asking again does not
    // help.
    if (!(error instanceof TypeError) || signal?.aborted || !navigator.onLine) throw error;
  });
  if (first && !passingStatuses.has(first.status)) return first;
  await new Promise((resolve) => setTimeout(resolve, pauseMs()));
  return signal?.aborted && first ? first : ask();
}

/** Sends an operation in place of urql; the body in `init` is urql's JSON. */
export async function sendOperation(init: RequestInit): Promise<Response> {
  if (typeof init.body !== "string") return heardFetch(address, init);
  const {
    operationName = "",
    query,
    variables,
  } = JSON.parse(init.body) as { operationName?: string; query?: string; variables?: object };
  const isQuery = query?.startsWith("query") === true;
  const send = (ask: () => Promise<Response>) => (isQuery ? askTwice(ask, init.signal) : ask());
  const documentId = hashes.get(operationName);
  if (documentId === undefined || unknown.has(documentId)) return send(() => heardFetch(address, init));
  const parts = new URLSearchParams({
    operationName,
    documentId,
    ...(variables && Object.keys(variables).length ? { variables: JSON.stringify(variables) } : {}),
  });
  const url = `${address}?${parts}`;
  const isRead = isQuery && url.length <= longestAddress;
  const named = { ...init, body: JSON.stringify({ operationName, documentId, variables }) };
  const response = await send(() => (isRead ? read(url, init) : heardFetch(address, named)));
  if (!(await isUnknown(response))) return response;
  unknown.add(documentId);
  return send(() => heardFetch(address, init));
}
