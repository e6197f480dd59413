/** The explorer's REST calls: saved queries, spreadsheets, and the ministry's day. */

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

const place = "/api/v1/query";

/** Sends a call. @throws Error with the server's message */
async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Error("The platform cannot be reached. Try again in a moment.");
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Error(response.status === 401 ? "Please sign in to the platform first." : (problem.detail ?? `The platform answered ${response.status}.`));
}

const json = (method: string, body: object): RequestInit => ({ method, headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
const read = async <Answer>(response: Promise<Response>): Promise<Answer> => (await response).json() as Promise<Answer>;

export const listSaved = () => read<SavedQuery[]>(send(place));
export const findSaved = (uuid: string) => read<SavedQuery>(send(`${place}/${encodeURIComponent(uuid)}/definition`));
export const removeSaved = (uuid: string) => read<SavedQuery>(send(`${place}/${uuid}`, { method: "DELETE" }));

/** Today in the ministry's time zone, YYYY-MM-DD. */
export const findToday = async () => (await read<{ today: string }>(send("/api/v1/system"))).today;

/** The estimated cost of a query, and why it would be refused. */
export type Measured = { nodes: number | null; cost: number | null; mostNodes: number; mostCost: number; errors: { path: string; message: string }[] };
export const measure = (question: Question) => read<Measured>(send(`${place}/check`, json("POST", question)));

type Details = { name: string; description: string; shared: boolean };
export const createSaved = (question: Question, details: Details) => read<SavedQuery>(send(place, json("POST", { ...question, ...details })));
export const changeSaved = (uuid: string, question: Question, details: Details) =>
  read<SavedQuery>(send(`${place}/${uuid}`, json("PATCH", { ...question, ...details })));

/** Saves the answer of a query as a CSV file. @throws Error with the server's message, for example if the answer has no single list */
export async function downloadSpreadsheet(question: Question, pages: "one" | "all"): Promise<void> {
  const headers = { "content-type": "application/json", accept: "text/csv" };
  const response = await send(`/graphql?pages=${pages}`, { ...json("POST", question), headers });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "answer.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
