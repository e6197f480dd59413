import {
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
} from "graphql";

/**
 * Descriptions by name: a field, argument or input field of the schema that has no description gets that of its name.
 * `Type.name` has precedence over `name`. A test finds names that have no description.
 */
const words: Record<string, string> = {
  // Arguments and fields of lists.
  first: "Rows from the beginning (or after `after`), at most 100.",
  after: "Only rows after this cursor: from pageInfo or edges of the same list in the same order.",
  last: "Rows from the end (or before `before`), at most 100.",
  before: "Only rows before this cursor: from pageInfo or edges of the same list in the same order.",
  offset: "Rows to skip, for numbered pages; cursors are cheaper far down a list.",
  edges: "The rows of this page, each with its cursor.",
  nodes: "The rows of this page.",
  node: "The row.",
  cursor: "Names the row's place in the list, for `after` and `before`.",
  pageInfo: "Whether more rows come before or after this page.",
  startCursor: "Cursor of the first row of the page.",
  endCursor: "Cursor of the last row of the page.",
  hasNextPage: "Whether rows follow this page.",
  hasPreviousPage: "Whether rows come before this page.",
  PageInfo: "Where a page lies in its list.",
  Query: "What can be asked.",
  Mutation: "What can be changed; expected failures come as `errors` of the answer.",
  id: "Global id, for node(id:).",
  "Query.node.id": "A global id.",
  "Query.nodes.ids": "Global ids, at most 100.",
  "AuditEvent.id": "The event's number.",
  "ConnectivityType.id": "The type's number.",
  "ConnectivityProvider.id": "The provider's number.",
  "SmartCareVersion.id": "The version's number.",
  input: "The values.",
  errors: "What was wrong with the input; empty when it was done.",
  message: "What is wrong and what to do about it, for a person.",
  path: "The input's path, with dots between its parts.",
  description: "What it is for.",

  // Places, partners, facilities.
  name: "Its name.",
  provinceId: "The province's id.",
  districtId: "The district's id.",
  province: "The province.",
  district: "The district.",
  districtName: "Name of the district.",
  facility: "The facility; null when there is none.",
  "Tdb.facility": "The facility that sent it.",
  "TdbHistoryFacilityRow.facility": "The facility that sent them.",
  "TdbSilence.facility": "The facility.",
  facilityUuid: "The facility's uuid: an opaque text.",
  facilityName: "The facility's name.",
  facilities: "Facilities by name.",
  hmisCode: "The facility's code in the national facility list.",
  implementingPartner: "The partner that supports it today.",
  "User.implementingPartner": "The organisation that the person belongs to.",
  implementingPartnerId: "The implementing partner's id.",
  "ImplementingPartner.active": "Whether it still supports facilities.",
  connectivity: "How it is connected to networks.",
  present: "Whether it is connected to a network.",
  type: "How it is connected.",
  "ConnectivityType.type": "Its name.",
  details: "More about the connection.",
  mobileCoverage: "Whether there is mobile coverage.",
  mobileProvider: "Who provides the mobile coverage.",
  provider: "Its name.",
  serviceAreaId: "The service area's id.",
  serviceAreas: "All service areas, by name.",
  connectivityTypes: "All ways of being connected, by name.",
  connectivityProviders: "All providers of mobile coverage, by name.",
  smartCareAssessmentVersions: "The known releases of SmartCare.",

  // Assessments.
  libraryVersion: "SmartCare's library version.",
  databaseVersion: "SmartCare's database version.",

  // TDBs and files.
  file: "The file.",
  files: "The files, of type .tdbx.",
  fileName: "The file's name.",
  fileSize: "Bytes.",
  fileType: "What the file is for.",
  accepted: "Whether the file was accepted.",
  tdb: "The TDB's record; null when the file was not accepted.",
  uploadDate: "Day on which the file was added.",
  uploadTime: "Time at which the file was received, HH:MM.",
  createdAt: "Instant at which the facility made it, ISO 8601.",
  delta: "Whether it holds only what changed since the one before.",
  totalPatients: "All clients of the facility when it was made.",
  download: "The file's record.",
  AddDownloadInput: "A file to hand out.",
  UploadTdbsInput: "Files to send.",
  level: "Whether by province or by district.",
  view: "A row for each month, or for each quarter.",
  "DashboardView.MONTHLY": "A row for each month.",
  "DashboardView.YEARLY": "A row for each fiscal year.",
  "FindingState.OK": "In order.",
  "FindingState.WARNING": "To be looked at.",
  "FindingState.FAILED": "To be mended: something is lost or refused otherwise.",
  "DashboardView.QUARTERLY": "A row for each quarter.",
  "TdbHistoryLevel.PROVINCE": "Provinces.",
  "TdbHistoryLevel.DISTRICT": "Districts.",

  // People, sign-in, tokens.
  user: "The person; null when there is none, or none that you may see.",
  "Viewer.user": "The person who is signed in.",
  userName: "User name, unique in any case.",
  firstName: "First name.",
  middleName: "Middle name.",
  surname: "Surname.",
  gender: "Gender, as the person gave it.",
  Gender: "Gender, as the person gave it.",
  bio: "The person's own details.",
  primaryEmail: "E-mail address, unique in any case; it serves as a login too.",
  secondaryEmail: "Another e-mail address.",
  primaryPhoneNumber: "Phone number.",
  secondaryPhoneNumber: "Another phone number.",
  privileges: "What the person may do.",
  administrator: "Everything.",
  editAssessments: "Create and change assessments, edit facilities.",
  viewAssessments: "View and export assessments.",
  uploadTdbs: "Send and see transport databases.",
  editRegistry: "Add, change, close, merge and import facilities, places and partners.",
  accessDownloads: "Fetch installers, upgraders, patches and other files.",
  manageUsers: "Create and manage users of the own partner.",
  editSelf: "Edit the own profile.",
  PrivilegeName: "Something that a person may do.",
  CreateUserInput: "A new user.",
  UserInput: "Whom it is about.",
  createUser: "Creates a user with a temporary password. Needs manageUsers or administrator.",
  updateUser: "Changes a user: oneself with editSelf, others with manageUsers or administrator.",
  reactivateUser: "Lets somebody sign in again. Needs manageUsers or administrator.",
  signIn: "Signs in and sets the session's cookie.",
  signOut: "Ends the session.",
  SignInInput: "Who signs in.",
  SignInStatus: "What became of a sign-in.",
  "SignInStatus.SIGNED_IN": "Signed in: the session's cookie is set.",
  status: "What became of the sign-in; null when it failed.",
  password: "The password.",
  confirmPassword: "The new password once more.",
  currentPassword: "The password until now.",
  ChangeOwnPasswordInput: "The own password's change.",
  serviceAccount: "The account of a machine; null where it could not be made or changed.",
  siteCredential: "The credential of a site; null where it could not be revoked.",
  CreateServiceAccountTokenInput: "A token to make for a service account.",
  RevokeServiceAccountTokenInput: "A token of a service account to end.",
  EndServiceAccountInput: "A service account to end, with its tokens.",
  IssueSiteCredentialsInput: "Facilities that are each given a credential.",
  RevokeSiteCredentialInput: "A site's credential to end.",
  RevokeSiteCredentialsInput: "Sites whose credentials are to end together: of a list of facilities, or by a filter.",
  createAccessToken: "Makes a personal access token, which is shown once.",
  revokeAccessToken: "Ends a personal access token.",
  CreateAccessTokenInput: "A new token: what it may do and until when.",
  RevokeAccessTokenInput: "The token that is ended.",
  accessToken: "The token's record.",
  createdDate: "Day on which it was made.",
  expired: "Whether its end has come.",
  revoked: "Whether it was revoked.",
  lastUsedDate: "Day on which it was last used.",
  lastUsedTime: "Time at which it was last used, HH:MM.",
  lastSeenDate: "Day on which the session was last used.",
  lastSeenTime: "Time at which the session was last used, HH:MM.",
  startDate: "Day on which it began.",
  startTime: "Time at which it began, HH:MM.",
  address: "The network address of the caller.",
  uuid: "Its uuid.",

  // The audit and the installation.
  date: "Day on which it happened.",
  subjectId: "Id of what it was about.",
  tokenName: "The name of that token.",
  appName: "Name of the product.",
  appVersion: "Its version.",
  patchLevel: "Its patch level.",
  javaVersion: "There is no Java: says so.",
  javaVendor: "There is no Java: says so.",
};

const meaning = (...names: string[]): string | undefined =>
  names.map((name) => words[name]).find((text) => text !== undefined);

const spaced = (name: string): string => name.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();

/** The description of a type that its name determines: a connection, edge or payload. */
function meaningOfType(name: string): string | undefined {
  const [, subject, kind] = /^(.+?)(Connection|Edge|Payload)$/.exec(name) ?? [];
  if (kind === "Connection") return `A page of a list: ${spaced(subject!)}.`;
  if (kind === "Edge") return `A row of a page, with its cursor: ${spaced(subject!)}.`;
  if (kind === "Payload") return `What became of it: ${spaced(subject!)}.`;
  return undefined;
}

/** Adds descriptions to all parts of a schema that have none. */
export function describe(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    type.description ??= meaning(type.name) ?? meaningOfType(type.name);
    if (isEnumType(type))
      for (const value of type.getValues()) value.description ??= meaning(`${type.name}.${value.name}`, value.name);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      field.description ??= meaning(`${type.name}.${field.name}`, field.name);
      for (const argument of "args" in field ? field.args : [])
        argument.description ??= meaning(`${type.name}.${field.name}.${argument.name}`, argument.name);
    }
  }
  return schema;
}
