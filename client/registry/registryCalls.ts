import type { FieldName, ValuesOf } from "../../db/facility/facilityFields.rules.ts";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { askAgain } from "../urql.ts";
import { busyWith } from "../ui/network/idle.ts";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { unreachedWords } from "../ui/network/reach.ts";

/** The registry's REST calls. Their ETags show whether somebody else has changed what is being edited. */

export type Identifier = { system: string; value: string; from: string | null; until: string | null };
/** A facility as the registry answers it. */
export type RegisteredFacility = ValuesOf<FieldName> & {
  facilityUuid: string;
  facilityName: string;
  district: string;
  districtId: number;
  province: string;
  closedOn: string | null;
  closeReason: string | null;
};

/** A province, district or partner as the registry answers it. */
export type RegistryPlace = {
  kind: PlaceKind;
  id: number;
  name: string;
  provinceId: number | null;
  province: string | null;
  isOpen: boolean;
  closedOn: string | null;
};
/** The props of each form of a place: the place as it was read, with its ETag. */
export type PlaceFormProps = { place: RegistryPlace; etag: string; onReadAgain: () => void };

export type Fault = { path: string; message: string };
/** A refused call, and why. */
export type Refusal = { status: number; message: string; faults: Fault[] };
export type Answer<Body> = { body: Body; etag: string; refusal?: undefined } | { body?: undefined; refusal: Refusal };

const refused = (status: number, message: string, faults: Fault[] = []): { refusal: Refusal } => ({
  refusal: { status, message, faults },
});

async function refusalOf(response: Response): Promise<{ refusal: Refusal }> {
  const { detail, errors = [] } = (await response.json().catch(() => ({}))) as { detail?: string; errors?: Fault[] };
  if (response.status === 412) return refused(412, "Somebody else has changed this meanwhile. Nothing was saved.");
  if (response.status === 401) return refused(401, "You are signed out. Sign in again to go on.");
  return refused(response.status, detail ?? "The server could not answer. Try again in a moment.", errors);
}

/** Sends a call. `etag` is that of the state that was read: if the state has changed since, the call is refused. */
export async function callRegistry<Body>(
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  { body, etag }: { body?: object; etag?: string | undefined } = {},
): Promise<Answer<Body>> {
  const headers = { ...(body ? { "content-type": "application/json" } : {}), ...(etag ? { "if-match": etag } : {}) };
  try {
    const response = await busyWith(
      heardFetch(`/api/v1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
        cache: "no-store",
        credentials: "same-origin",
      }),
    );
    if (!response.ok) return await refusalOf(response);
    // Answers that other screens have kept are older than this change.
    if (method !== "GET") askAgain();
    return { body: (await response.json()) as Body, etag: response.headers.get("etag") ?? "" };
  } catch (error) {
    return refused(0, unreachedWords(error));
  }
}

const part = encodeURIComponent;
/** The paths of a facility. */
export const paths = {
  add: () => "/facility",
  facility: (uuid: string) => `/facility/${part(uuid)}`,
  metadata: (uuid: string) => `/facilityMetadata/${part(uuid)}`,
  identifiers: (uuid: string) => `/facility/identifiers/${part(uuid)}`,
  act: (uuid: string, act: "close" | "reopen" | "merge") => `/facility/${part(uuid)}/${act}`,
  preview: (uuid: string, into: string) => `/facility/${part(uuid)}/merge/${part(into)}`,
  places: (kind: PlaceKind) => `/registry/place/${kind}`,
  place: (kind: PlaceKind, id: number) => `/registry/place/${kind}/${id}`,
  placeAct: (kind: PlaceKind, id: number, act: "close" | "reopen" | "split") => `/registry/place/${kind}/${id}/${act}`,
};

/** An error in words: a message that is no whole sentence begins with its field. */
export const faultWords = ({ path, message }: { path: string; message: string }): string =>
  path === "" || /^[A-Z]/.test(message) ? message : `${path}: ${message}`;
