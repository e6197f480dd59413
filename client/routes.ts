import type { Mode } from "../gateway/facility/mode.rules.ts";

/** Links to the screens of screens.ts, and to files of the server. */

/** The part of the country, or the partner, by which a list is filtered. */
export type ModeScope = { provinceId?: number; districtId?: number; implementingPartnerId?: number };
type PlaceAndPartner = { provinceId?: number; districtId?: number; partner?: number };
/** Whose assessments a file holds: of all facilities, or of these; of everybody, or of this person. */
export type AssessmentScope = ModeScope & { facilityUuid?: string; userUuid?: string };
/** The period of a chart's bar. Without one, the list is by the present mode. */
export type ModePeriod = { year: number; quarter?: number } | { year: number; month?: number };

/** The steps of an import. */
export type ImportStep = "read" | "review" | "apply";

const part = encodeURIComponent;

type Values = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

function query(values: Values): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}` : "";
}

/** A query that also names these facilities, if any. */
function withSites(text: string, facilityUuids: readonly string[] = []): string {
  const named = facilityUuids.map((uuid) => `facilityUuid=${part(uuid)}`).join("&");
  return named === "" ? text : `${text || "?"}${text ? "&" : ""}${named}`;
}

function modeScopePath({ provinceId, districtId, implementingPartnerId }: ModeScope): string {
  if (districtId !== undefined) return `district/${districtId}`;
  if (provinceId !== undefined) return `province/${provinceId}`;
  if (implementingPartnerId !== undefined) return `ip/${implementingPartnerId}`;
  return "all";
}

/** Links to every screen, as paths of the hash router. */
export const routes = {
  home: () => "/",
  search: (text?: string) => `/search${query({ text })}`,
  provinces: () => "/provinces",
  districts: (provinceId?: number) => (provinceId === undefined ? "/districts" : `/districts/${provinceId}`),
  facilities: () => "/facilities",
  /** A list of facilities that match: the parameters of `listFilter.rules.ts`. */
  facilityList: ({
    provinceId,
    districtId,
    implementingPartnerId,
    ...match
  }: ModeScope & Record<string, string | number | undefined>) =>
    `/facilities${query({ provinceId, districtId, implementingPartnerId, ...match })}`,
  /** Facilities that no partner supports. */
  withoutPartner: () => "/facilities?implementingPartnerId=none",
  worklist: (
    kind: string,
    scope: ModeScope & { show?: string | undefined; mine?: string | undefined; group?: string | undefined } = {},
  ) => `/worklist/${part(kind)}${query({ ...scope })}`,
  facilitiesOfDistrict: (districtId: number) => `/facilities/district/${districtId}`,
  facilitiesOfProvince: (provinceId: number) => `/facilities/province/${provinceId}`,
  facilitiesByMode: (mode: Mode, scope: ModeScope = {}, period?: ModePeriod) =>
    `/facilities/implementation/${mode}/${modeScopePath(scope)}${query({ ...period })}`,
  facility: (facilityUuid: string) => `/facility/${part(facilityUuid)}`,
  /** The facility, with the section of its updates open. */
  updatesOf: (facilityUuid: string) => `/facility/${part(facilityUuid)}?updates`,
  partners: () => "/ips",
  partner: (implementingPartnerId: number) => `/ip/${implementingPartnerId}`,
  tdb: () => "/tdb",
  downloads: () => "/downloads",
  /** The fleet, with a filter for its list of sites. */
  fleet: (sites: { rollout?: string; file?: string; state?: string } = {}) => `/fleet${query({ ...sites })}`,
  user: (userUuid?: string) => (userUuid === undefined ? "/user" : `/user/${part(userUuid)}`),
  addUser: () => "/user/add",
  users: () => "/users",
  userDirectory: () => "/users/directory",
  audit: (filter: { who?: string; about?: string } = {}) => `/audit${query(filter)}`,
  toCheck: () => "/to-check",
  machines: () => "/machines",
  /** The registry of facilities, places and partners. */
  registry: (tab?: string) => `/registry${query({ tab })}`,
  registryPlace: (kind: string, id: number) => `/registry/place/${kind}/${id}`,
  /** The imports; with the form for another one open. */
  registryImports: (open?: "new") => `/registry/imports${query({ open })}`,
  registryImport: (uuid: string, step?: ImportStep) => `/registry/imports/${part(uuid)}${query({ step })}`,
  reconciliations: () => "/registry/reconciliations",
  reconciliation: (uuid: string) => `/registry/reconciliations/${part(uuid)}`,
  /** A facility in the registry; without a uuid, the form for a new one. */
  registryOf: (facilityUuid?: string) =>
    facilityUuid === undefined ? "/registry/facility" : `/registry/facility/${part(facilityUuid)}`,
  /** My week; with the uuid of a field list, to take that along. */
  field: (fieldList?: string) => `/field${query({ list: fieldList })}`,
  about: () => "/about",
  checks: () => "/checks",
  setUp: () => "/setup",
  style: () => "/about/style",
  /** What the terms of the trade mean; `term`: the one that is shown first. */
  glossary: (term?: string) => `/glossary${query({ term })}`,
  /**
   * The report of a place and partner. Its period is the last finished quarter, unless the address names another one.
   */
  report: (about: PlaceAndPartner) => `/report${query({ ...about })}`,
  /** The saved reports of a place and partner. */
  reports: (about: PlaceAndPartner) => `/reports${query({ ...about })}`,
  savedReport: (number: number) => `/report/${number}`,
  /** What changed in a place since a day. */
  changes: (about: PlaceAndPartner & { since?: string }) => `/changes${query({ ...about })}`,
  /** A question that is built by clicks; its address holds it. */
  questions: (address?: URLSearchParams) => `/questions${address ? `?${address.toString()}` : ""}`,
  /** The page of a saved query, whose parameters are in its address. */
  savedQuery: (uuid: string) => `/query/${part(uuid)}`,
  /** `workId` names work that is stored on this device. The form opens with it. */
  assessment: (facilityUuid: string, assessmentUuid?: string, workId?: string) =>
    `/assessment/facility/${part(facilityUuid)}${assessmentUuid === undefined ? "" : `/${part(assessmentUuid)}`}${query({ work: workId })}`,
};

/** The GraphQL explorer, a page of its own: empty, or with a saved query. */
export const explorerOf = (savedQuery?: string): string => `/graphql${query({ saved: savedQuery })}`;

/** Files to be saved, as addresses of the server. */
export const files = {
  facilitiesCsv: (values: Values, facilityUuids?: readonly string[]) =>
    `/api/v1/facility/csv${withSites(query(values), facilityUuids)}`,
  assessmentCsv: (assessmentUuid: string) => `/api/v1/assessment/csv/assessment/${part(assessmentUuid)}`,
  reconciliationCsv: (uuid: string) => `/api/v1/registry/reconciliations/${part(uuid)}/csv`,
  worklistCsv: (
    kind: string,
    filter: ModeScope & { show?: string; mine?: string | undefined },
    facilityUuids?: readonly string[],
  ) => `/api/v1/worklist/${part(kind)}/csv${withSites(query(filter), facilityUuids)}`,
  silentSitesCsv: (filter: ModeScope & { show: string }) => `/api/v1/tdb/silent/csv${query(filter)}`,
  assessmentsCsv: ({ start, end }: { start: string; end: string }, scope: AssessmentScope & Values = {}) =>
    `/api/v1/assessment/csv/${start}/${end}${query({ ...scope })}`,
  ledgerCsv: (values: Values) => `/api/v1/ledger/csv${query(values)}`,
  auditCsv: (values: Values) => `/api/v1/audit/csv${query(values)}`,
  usersCsv: (values: Values) => `/api/v1/user/csv${query(values)}`,
  tdb: (uuid: string) => `/api/v1/tdb/file/${part(uuid)}`,
  /** The TDBs of these days that match. */
  tdbsCsv: ({ start, end }: { start: string; end: string }, match: Values) =>
    `/api/v1/tdb/meta/list/all/csv/${start}/${end}${query(match)}`,
};
