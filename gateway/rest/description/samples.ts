/** Examples in the description: a value for each parameter, a body for each call that takes one, and each call as a line of shell. */

const uuid = "0192f0c4-7d3e-7a51-9c0b-3f7c2a1e5d84";

/** Values of parameters by name. Uuids are made up: put those of your platform in their place. */
const values: Record<string, unknown> = {
  id: 1, provinceId: 1, districtId: 1, implementingPartnerId: 1, active: "true", mode: "EFirst", text: "clinic", year: 2026, quarter: -1, month: 3,
  start: "2026-01-01", end: "2026-12-31", asOf: "2026-06-30", years: 2, limit: 100, wait: 30, search: "clinic", view: "quarterly", show: "overdue", sort: "silence", pages: "all",
  kinds: ["facility", "assessment"], size: 1048576, who: "admin", action: "auth.signIn", outcome: "done", about: "clinic", state: "expiring",
  smartCareFunctional: "true", mine: "true", assessedBefore: "2026-06-30", noTdbSince: "2026-06-30", modes: "EFirst,Partial", facilityType: "Health Post", facilityOwner: "Mission", healthCenterType: "Rural", laboratoryLevel: "Level 1", operationStatus: "Operational",
  createdStart: "2026-10-01", createdEnd: "2026-12-31", libraryVersion: "4.3.1", sender: "Banda", lastLoginBefore: "2026-06-30",
  catchmentPopulationFrom: "1000", catchmentPopulationTo: "20000",
  system: "dhis2", value: "pXhz0PLiYZX", into: uuid, kind: "changed", decision: "undecided",
  format: "geojson", page: 1, pageSize: 50, level: 2, source: "DHIS2", fileName: "organisationUnits.json", field: "district", paging: "true", stuck: "true", warned: "true", version: "4.10.2",
  locationId: "country", organizationId: "country", _id: "province-1,district-2", identifier: "urn:zm:hmis|10010001", name: "Chilenje", "name:contains": "clinic", "name:exact": "Chilenje Clinic",
  _lastUpdated: ["ge2026-06-30"], _count: 100, near: "-15.41|28.28|20|km", partof: "Location/district-2", organization: "Organization/district-2", type: "facility",
};

/** An example of a parameter, where a caller can make one up: cursors come from answers. */
export function exampleOf(name: string, { enum: choices, format }: { enum?: unknown[]; format?: string } = {}): unknown {
  const known = values[name] ?? (/uuid$/i.test(name) ? uuid : format === "date" ? "2026-06-30" : undefined);
  return choices && !choices.includes(known) ? choices[0] : known;
}

const password = "a long sentence that nobody guesses";
const tokenDays = { name: "nightly copy", expiryDate: "2027-06-30" };
/** A body for each call that takes JSON, by operation. */
export const bodies: Record<string, object> = {
  signIn: { login: "assessor", password },
  createUser: {
    userName: "cmulenga", firstName: "Chanda", surname: "Mulenga", gender: "F", primaryEmail: "chanda.mulenga@example.org", primaryPhoneNumber: "0977000000",
    implementingPartnerId: 1, privileges: ["VIEW_ASSESSMENTS", "EDIT_ASSESSMENTS"],
  },
  updateUser: { uuid, version: 3, primaryPhoneNumber: "0977000001" },
  changeOwnPassword: { currentPassword: password, password: `${password} at all`, confirmPassword: `${password} at all`, endTokens: false },
  createAccessToken: { ...tokenDays, privileges: ["viewAssessments"] },
  beginSecondFactor: { password },
  confirmSecondFactor: { code: "123456" },
  endSecondFactor: { password },
  renewRecoveryCodes: { password },
  updateFacilityConnectivity: { facilityUuid: uuid, present: true, type: 1, details: "VSAT on the roof", mobileCoverage: true, mobileProvider: 1 },
  updateFacilitySettings: { implementingPartnerId: 1, serviceAreas: [1, 2] },
  createAssessment: {
    assessmentUuid: uuid, facilityUuid: uuid, functionalityStatusMode: "EFirst", dateOfLastUpgrade: "2026-03-14", numberOfStaffTrainedInSmartCare: 4,
    smartCareFunctional: true, primaryPower: true, primaryPowerWorking: true, backupPower: false,
  },
  updateAssessment: { assessmentUuid: uuid, version: 1, numberOfStaffTrainedInSmartCare: 5 },
  createServiceAccount: { name: "warehouse", owner: "manager", privileges: ["viewAssessments"], provinceId: 1 },
  updateServiceAccount: { privileges: ["viewAssessments", "uploadTdbs"] },
  createServiceAccountToken: tokenDays,
  issueSiteCredentials: { facilities: ["10010001"], expiryDate: "2027-06-30" },
  revokeSiteCredentials: { state: "expired", provinceId: 1, expected: 3 },
  createSavedQuery: {
    name: "Facilities of a province", query: "query ($province: String!) { facilities(filter: { province: $province }) { nodes { facilityName } } }",
    variables: { province: "Southern" }, shared: true,
  },
  updateSavedQuery: { shared: false },
  checkQuery: { query: "{ facilityGroups(by: [PROVINCE]) { province { name } facilities } }" },
  createSavedView: { name: "Silent sites", address: "/facilities?silent=yes", shared: true },
  setDownloadRelease: { version: "4.10.2", installs: ["library"], appliesFrom: "4.9", appliesTo: "4.10.1", channel: "general", requiredSince: "2026-10-01" },
  createRollout: { version: "4.10.2", provinceIds: [1], percentage: 50, startDay: "2026-12-01" },
  changeRollout: { state: "paused" },
  reportOwnUpdate: { outcome: "failed", why: "The disk is full" },
  reportUpdate: { outcome: "applied" },
  setTarget: { measure: "functional", year: 2026, share: 80, provinceId: 1 },
  noteWorklistEntry: { comment: "The generator is being repaired", snoozedUntil: "2026-12-31" },
  addFacility: { facilityName: "Chilenje Clinic", districtId: 1 },
  changeFacility: { facilityName: "Chilenje Hospital" },
  changeRegistryPlace: { name: "Central" },
  addRegistryPlace: { name: "Kasama West", provinceId: 1 },
  closeRegistryPlace: { closedOn: "2026-06-30" },
  splitRegistryPlace: { name: "Kasama West", facilityUuids: [uuid] },
  closeFacility: { closedOn: "2026-06-30", reason: "Moved into the new hospital" },
  mergeFacilities: { into: uuid },
  decideRegistryImport: { decision: "accepted", kind: "changed" },
  decideReconciliationFindings: { state: "ignored", note: "Their spelling", kind: "differs" },
  importReconciliationFindings: { kind: "onlyThere" },
  updateFacilityIdentifiers: { identifiers: [{ system: "dhis2", value: "pXhz0PLiYZX" }] },
  saveIdentifierSystem: { system: "census", name: "Census code", pattern: "[0-9]{6}", isUnique: true },
};

/** What a form sends, as curl writes it. */
const forms: Record<string, string> = {
  uploadTdbs: `--form "files=@clinic.tdbx"`,
  prepareRegistryImport: `--form "file=@facilities.csv"`,
  reconcileRegistry: `--form "source=DHIS2" --form "file=@organisationUnits.json"`,
  addDownload: `--form "file=@guide.pdf" --form "fileType=Document" --form "fileDescription=The users' guide"`,
};
/** Headers of calls that need some. */
const tus = `--header "Tus-Resumable: 1.0.0"`;
const more: Record<string, string> = {
  beginUpload: `${tus} --header "Upload-Length: 1048576" --header "Upload-Metadata: filename $(printf 'clinic.tdbx' | base64)"`,
  sendUploadPart: `${tus} --header "Upload-Offset: 0" --header "Content-Type: application/offset+octet-stream" --data-binary @part`,
  discardUpload: tus,
};

const inShell = (name: string): string => `$${name.replaceAll(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}`;

/** A call as a line of shell; uuids are variables that the reader sets. */
export function sampleOf(method: string, path: string, operationId: string, by: "nothing" | "session" | "token", examples: Readonly<Record<string, unknown>>): { lang: string; label: string; source: string } {
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => (/uuid$/i.test(name) ? inShell(name) : encodeURIComponent(String(examples[name]))));
  const body = bodies[operationId];
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
