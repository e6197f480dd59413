import type { TdbxManifest } from "../../gateway/tdb/tdbx.rules.ts";
import { createTdbx } from "../../gateway/tdb/tdbxSample.ts";
import type { Answer, Person } from "./gateway.ts";

let made = 0;

/** A manifest that differs from all others, for a facility of the demonstration country. */
function manifestOf(facilityUuid: string, rest: Partial<TdbxManifest> = {}): TdbxManifest {
  made += 1;
  const createdAt = new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString();
  return {
    format: "tdbx/1",
    facility: { uuid: facilityUuid },
    createdAt,
    delta: false,
    // Not far from what the sites of the demonstration have, so that it is not held.
    totalPatients: 2000 + made,
    ...rest,
  };
}

export const tdbxOf = (facilityUuid: string, rest: Partial<TdbxManifest> = {}, size = 1000): Buffer =>
  createTdbx(manifestOf(facilityUuid, rest), size);

export const cookiesOf = ({ cookies }: Person): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

/** Sends a form as a person. */
export async function sendForm(url: string, path: string, person: Person, form: FormData): Promise<Answer> {
  const response = await fetch(url + path, { method: "POST", body: form, headers: { cookie: cookiesOf(person) } });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}

export type SentFile = { name: string; content: Buffer };

export function formOf(files: SentFile[], field = "files"): FormData {
  const form = new FormData();
  for (const { name, content } of files) form.append(field, new Blob([new Uint8Array(content)]), name);
  return form;
}

export const uploadMutation = `mutation ($files: [Upload!]!) { uploadTdbs(input: { files: $files }) {
  receipts { fileName accepted duplicate sha256 reference error tdb { uuid sha256 facility { facilityName } } } errors { path message } } }`;

/**
 * A form of the GraphQL multipart request specification: the files of the variable `files`, or the one of another
 * variable.
 */
export function graphqlFormOf(query: string, files: SentFile[], variable?: string): FormData {
  const form = new FormData();
  const pathOf = (index: number) => (variable ? `variables.${variable}` : `variables.files.${index}`);
  form.append(
    "operations",
    JSON.stringify({ query, variables: variable ? { [variable]: null } : { files: files.map(() => null) } }),
  );
  form.append("map", JSON.stringify(Object.fromEntries(files.map((_, index) => [String(index), [pathOf(index)]]))));
  files.forEach(({ name, content }, index) => form.append(String(index), new Blob([new Uint8Array(content)]), name));
  return form;
}

/** A sender of resumable uploads (tus) at one gateway. */
export function tusOf(url: string, person: Person) {
  const call = async (method: string, path: string, headers: Record<string, string>, body?: Buffer) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie: cookiesOf(person), "tus-resumable": "1.0.0", ...headers },
      ...(body ? { body: new Uint8Array(body) } : {}),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const announce = (length: number, name = "big.tdbx") =>
    call("POST", "/api/v1/tdb/resumable", {
      "upload-length": String(length),
      "upload-metadata": `filename ${Buffer.from(name).toString("base64")}`,
    });
  return {
    call,
    announce,
    create: async (length: number, name?: string): Promise<string> =>
      (await announce(length, name)).headers.get("location")!,
    patch: (path: string, offset: number, body: Buffer) =>
      call("PATCH", path, { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" }, body),
    head: async (path: string) => {
      const { status, headers } = await call("HEAD", path, {});
      return { status, offset: Number(headers.get("upload-offset")) };
    },
    finish: async (path: string) => {
      const { status, text } = await call("POST", `${path}/finish`, {});
      return { status, body: JSON.parse(text) as unknown };
    },
  };
}

/** Sends a form with an access token or a site credential. */
export async function sendFormBy(url: string, secret: string, form: FormData): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/tdb`, {
    method: "POST",
    body: form,
    headers: { authorization: `Bearer ${secret}` },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
