import { heardFetch } from "../ui/network/heardFetch.ts";
import { unreachedWords } from "../ui/network/reach.ts";

/** The explorer's calls: saved queries, the cost of a query, spreadsheets, and the ministry's day. */

export type SavedQuery = {
  uuid: string;
  path: string;
  name: string;
  description: string | null;
  query: string;
  variables: Record<string, unknown> | null;
  operationName: string | null;
  shared: boolean;
  ownerUserName: string;
  own: boolean;
  editable: boolean;
};

/** A query as the editors contain it. */
export type Question = { query: string; variables: Record<string, unknown> | null; operationName: string | null };

const signIn = "Please sign in to the platform first.";

/** Sends a call. @throws Error with the server's message */
async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await heardFetch(path, init);
  } catch (error) {
    throw new Error(unreachedWords(error), { cause: error });
  }
  if (response.ok) return response;
  const { detail, errors } = (await response.json().catch(() => ({}))) as {
    detail?: string;
    errors?: { message: string }[];
  };
  throw new Error(
    response.status === 401 ? signIn : (detail ?? errors?.[0]?.message ?? `The platform answered ${response.status}.`),
  );
}

const json = (body: object, accept = "application/json"): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", accept },
  body: JSON.stringify(body),
});
const read = async <Answer>(response: Promise<Response>): Promise<Answer> => (await response).json() as Promise<Answer>;

type GraphqlAnswer<Data> = { data?: Data | null; errors?: { message: string; extensions?: { code?: string } }[] };

/** Asks GraphQL. @throws Error with the server's first message */
async function ask<Data>(query: string, variables: object = {}): Promise<Data> {
  const { data, errors } = await read<GraphqlAnswer<Data>>(send("/graphql", json({ query, variables })));
  const [error] = errors ?? [];
  if (error) throw new Error(error.extensions?.code === "UNAUTHENTICATED" ? signIn : error.message);
  return data as Data;
}

/** A saved query as GraphQL answers it: its variables are JSON text. */
type Stored = Omit<SavedQuery, "variables"> & { variables: string | null };
const fields = "uuid path name description query variables operationName shared ownerUserName own editable";
const opened = (stored: Stored): SavedQuery => ({
  ...stored,
  variables: stored.variables === null ? null : (JSON.parse(stored.variables) as Record<string, unknown>),
});

type ListPage = { savedQueries: { pageInfo: { hasNextPage: boolean; endCursor: string | null }; nodes: Stored[] } };
const listQuery = `query ($after: String) {
  savedQueries(first: 100, after: $after) { pageInfo { hasNextPage endCursor } nodes { ${fields} } }
}`;
/** All saved queries that the person may see, by name. */
export async function listSaved(after: string | null = null): Promise<SavedQuery[]> {
  const { pageInfo, nodes } = (await ask<ListPage>(listQuery, { after })).savedQueries;
  const others = pageInfo.hasNextPage ? await listSaved(pageInfo.endCursor) : [];
  return [...nodes.map(opened), ...others];
}

const findQuery = `query ($uuid: String!) { savedQuery(uuid: $uuid) { ${fields} } }`;
export const findSaved = async (uuid: string) =>
  opened((await ask<{ savedQuery: Stored }>(findQuery, { uuid })).savedQuery);

/** Today in the ministry's time zone, YYYY-MM-DD. */
export const findToday = async () => (await read<{ today: string }>(send("/api/v1/system"))).today;

/** The estimated cost of a query, and why it would be refused. */
export type Measured = {
  nodes: number | null;
  cost: number | null;
  mostNodes: number;
  mostCost: number;
  errors: { path: string; message: string }[];
};
export const measure = (question: Question) => read<Measured>(send("/api/v1/query/check", json(question)));

type Changed = { changed: { savedQuery: Stored | null; errors: { path: string; message: string }[] } };
/** Sends a mutation that calls its answer `changed`. @throws Error with the server's messages if it was refused */
async function change(mutation: string, input: object): Promise<SavedQuery> {
  const { savedQuery, errors } = (await ask<Changed>(mutation, { input })).changed;
  if (savedQuery) return opened(savedQuery);
  throw new Error(errors.map(({ path, message }) => (path ? `${path}: ${message}` : message)).join("; "));
}
const changed = `{ savedQuery { ${fields} } errors { path message } }`;
const withText = ({ variables, ...question }: Question) => ({
  ...question,
  variables: variables && JSON.stringify(variables),
});

type Details = { name: string; description: string; shared: boolean };
export const createSaved = (question: Question, details: Details) =>
  change(`mutation ($input: CreateSavedQueryInput!) { changed: createSavedQuery(input: $input) ${changed} }`, {
    ...withText(question),
    ...details,
  });
export const changeSaved = (uuid: string, question: Question, details: Details) =>
  change(`mutation ($input: UpdateSavedQueryInput!) { changed: updateSavedQuery(input: $input) ${changed} }`, {
    uuid,
    ...withText(question),
    ...details,
  });
export const removeSaved = (uuid: string) =>
  change(`mutation ($input: DeleteSavedQueryInput!) { changed: deleteSavedQuery(input: $input) ${changed} }`, {
    id: uuid,
  });

/**
 * Saves the answer of a query as a CSV file.
 *
 * @throws Error with the server's message, for example if the answer has no single list
 */
export async function downloadSpreadsheet(question: Question, pages: "one" | "all"): Promise<void> {
  const response = await send(`/graphql?pages=${pages}`, json(question, "text/csv"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "answer.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
