import type { TdbxManifest } from "../gateway/tdb/tdbx.rules.ts";
import { createTdbx } from "../gateway/tdb/tdbxSample.ts";
import type { Answer, Person } from "./gateway.ts";

let made = 0;

/** A manifest like no other, of a facility of the demonstration country. */
export function manifestOf(facilityUuid: string, rest: Partial<TdbxManifest> = {}): TdbxManifest {
  made += 1;
  const createdAt = new Date(Date.UTC(2026, 0, 1) + made * 1000).toISOString();
  return { format: "tdbx/1", facility: { uuid: facilityUuid }, createdAt, delta: false, totalPatients: 100 + made, ...rest };
}

export const tdbxOf = (facilityUuid: string, rest: Partial<TdbxManifest> = {}, size = 1000): Buffer =>
  createTdbx(manifestOf(facilityUuid, rest), size);

export const cookiesOf = ({ cookies }: Person): string => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

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
