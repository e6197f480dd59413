/**
 * Examples in the description: a value for each parameter, and each call as a shell command. The example of a body is
 * in its route.
 */

export const sampleUuid = "0192f0c4-7d3e-7a51-9c0b-3f7c2a1e5d84";

/** Values of parameters by name. */
const values: Record<string, unknown> = {
  id: 1,
  provinceId: 1,
  districtId: 1,
  implementingPartnerId: 1,
  responsiblePartnerId: 1,
  active: "true",
  fieldList: sampleUuid,
  mode: "EFirst",
  text: "clinic",
  year: 2026,
  quarter: -1,
  month: 3,
  start: "2026-01-01",
  end: "2026-12-31",
  asOf: "2026-06-30",
  years: 2,
  limit: 100,
  wait: 30,
  search: "clinic",
  view: "quarterly",
  show: "overdue",
  sort: "silence",
  pages: "all",
  kinds: ["facility", "assessment"],
  size: 1048576,
  who: "admin",
  action: "auth.signIn",
  range: "LAST_30_DAYS",
  direction: "worse",
  outcome: "done",
  about: "clinic",
  state: "expiring",
  smartCareFunctional: "true",
  notRecorded: "primaryPower,backupPower",
  mine: "true",
  assessedBefore: "2026-06-30",
  noTdbSince: "2026-06-30",
  inARow: "SMART_CARE_FUNCTIONAL.2.no",
  modes: "EFirst,Partial",
  facilityType: "Health Post",
  facilityOwner: "Mission",
  healthCenterType: "Rural",
  laboratoryLevel: "Level 1",
  operationStatus: "Operational",
  outside: "21.9,-18.2,33.8,-8.1",
  createdStart: "2026-10-01",
  createdEnd: "2026-12-31",
  libraryVersion: "4.3.1",
  sender: "Banda",
  lastLoginBefore: "2026-06-30",
  system: "dhis2",
  value: "pXhz0PLiYZX",
  into: sampleUuid,
  kind: "changed",
  decision: "undecided",
  format: "geojson",
  page: 1,
  pageSize: 50,
  level: 2,
  fields: "id,displayName,parent[id]",
  locale: "en",
  translate: "false",
  totalPages: "true",
  skipPaging: "false",
  source: "DHIS2",
  fileName: "organisationUnits.json",
  field: "district",
  paging: "true",
  stuck: "true",
  warned: "true",
  version: "4.10.2",
  locationId: "country",
  organizationId: "country",
  _id: "province-1,district-2",
  identifier: "urn:zm:hmis|10010001",
  name: "Chilenje",
  "name:contains": "clinic",
  "name:exact": "Chilenje Clinic",
  _lastUpdated: ["ge2026-06-30"],
  _count: 100,
  _elements: "name,status",
  _format: "json",
  _pretty: "true",
  _include: ["Location:organization"],
  _revinclude: ["Location:organization"],
  near: "-15.41|28.28|20|km",
  partof: "Location/district-2",
  organization: "Organization/district-2",
  type: "facility",
  status: "active",
};

/**
 * Values of parameters by the end of their name: uuids, secrets, and the least and the most of counts by which facilities are
 * filtered.
 */
const byEnding: [RegExp, string][] = [
  [/uuid$/i, sampleUuid],
  [/secret$/i, "sct_example"],
  [/[a-z]From$/, "1000"],
  [/[a-z]To$/, "20000"],
];

/** An example for a parameter; undefined if there cannot be one (cursors come from answers). */
export function exampleOf(
  name: string,
  { enum: choices, items, format }: { enum?: unknown[]; items?: { enum?: unknown[] }; format?: string } = {},
): unknown {
  const known =
    values[name] ??
    byEnding.find(([ending]) => ending.test(name))?.[1] ??
    (format === "date" ? "2026-06-30" : undefined);
  if (typeof known === "string" && items) return [known];
  if (Array.isArray(known) && items?.enum && !known.every((one) => items.enum!.includes(one)))
    return items.enum.slice(0, 2);
  return choices && !choices.includes(known) ? choices[0] : known;
}

export const samplePassword = "a long sentence that nobody guesses";

/** The form of each call with one, as arguments of curl. */
const forms: Record<string, string> = {
  uploadTdbs: `--form "files=@clinic.tdbx"`,
  prepareRegistryImport: `--form "file=@facilities.csv"`,
  reconcileRegistry: `--form "source=DHIS2" --form "file=@organisationUnits.json"`,
  addDownload: `--form "file=@guide.pdf" --form "fileType=Document" --form "fileDescription=The users' guide"`,
};
/** Further headers of calls, as arguments of curl. */
const tus = `--header "Tus-Resumable: 1.0.0"`;
const more: Record<string, string> = {
  beginUpload: `${tus} --header "Upload-Length: 1048576" --header "Upload-Metadata: filename $(printf 'clinic.tdbx' | base64)"`,
  sendUploadPart: `${tus} --header "Upload-Offset: 0" --header "Content-Type: application/offset+octet-stream" --data-binary @part`,
  discardUpload: tus,
};

const inShell = (name: string): string => `$${name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`;

type Call = {
  method: string;
  path: string;
  operationId: string;
  /** how the caller signs in */
  by: "nothing" | "session" | "token";
  /** the examples of its parameters */
  examples: Readonly<Record<string, unknown>>;
  /** the example of its JSON body */
  body: object | undefined;
};

/** A call as a shell command. Uuids and secrets are shell variables, which the reader sets. */
export function sampleOf({ method, path, operationId, by, examples, body }: Call): {
  lang: string;
  label: string;
  source: string;
} {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    /(uuid|secret)$/i.test(name) ? inShell(name) : encodeURIComponent(String(examples[name])),
  );
  const source = [
    "curl --fail-with-body --silent",
    ...(method === "get" ? [] : [`--request ${method.toUpperCase()}`]),
    ...{ nothing: [], session: ["--cookie session.txt"], token: [`--header "Authorization: Bearer $TOKEN"`] }[by],
    ...(body ? [`--header "Content-Type: application/json" --data '${JSON.stringify(body)}'`] : []),
    ...[forms[operationId], more[operationId]].filter((part) => part !== undefined),
    `"$ADDRESS${address}"`,
  ];
  return { lang: "Shell", label: "curl", source: source.join(" ") };
}
