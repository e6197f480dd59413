import { getNamedType, type GraphQLArgument, type GraphQLField, type GraphQLInputField, type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from "graphql";

/** The search in the documentation: by names, descriptions and synonyms. */

type Field = GraphQLField<unknown, unknown> | GraphQLInputField | GraphQLArgument;
/** A place in the documentation: a type, or a field, argument or value of it. */
export type DocsEntry = { title: string; about: string; type: GraphQLNamedType; field?: Field | undefined };
type Indexed = DocsEntry & { name: string; text: string };

/** Synonyms: what people say, and the schema's words for it. Both in lower case, without spaces and hyphens. */
const synonyms: Record<string, readonly string[]> = {
  average: ["mean"],
  backlog: ["overdue", "silent"],
  battery: ["backuppower"],
  clinic: ["facility"],
  coordinates: ["latitude", "longitude", "position"],
  coverage: ["completeness", "mobilecoverage"],
  defaulter: ["silent", "overdue", "neversent"],
  dhis: ["identifier"],
  donor: ["implementingpartner"],
  download: ["download"],
  electricity: ["primarypower"],
  gap: ["daysbetweentdbs", "daysbetweenvisits", "silence", "dayssincelasttdb"],
  generator: ["backuppower"],
  gps: ["latitude", "longitude"],
  hospital: ["facility", "facilitytype"],
  install: ["deploymentmode", "functionalitystatusmode"],
  internet: ["connectivity"],
  interval: ["daysbetweenvisits", "daysbetweentdbs"],
  ip: ["implementingpartner"],
  late: ["overdue", "silent"],
  mfl: ["hmiscode", "identifier"],
  mode: ["functionalitystatusmode"],
  network: ["connectivity", "mobilecoverage"],
  offline: ["connectivitypresent", "silent"],
  ownership: ["facilityowner"],
  paper: ["elast"],
  patient: ["client", "totalpatients"],
  percent: ["share"],
  percentile: ["p90", "median"],
  population: ["catchmentpopulation"],
  proportion: ["share"],
  quantile: ["p90", "median"],
  rate: ["share", "completeness"],
  ratio: ["share"],
  reporting: ["silent", "overdue", "completeness"],
  region: ["province"],
  silence: ["silent", "overdue"],
  site: ["facility"],
  software: ["libraryversion"],
  solar: ["backuppower", "primarypower"],
  stale: ["dayssince", "notvisited"],
  supervision: ["assessment"],
  training: ["stafftrained"],
  transportdatabase: ["tdb"],
  trend: ["change", "against"],
  typical: ["median"],
  upgrade: ["lastupgrade", "libraryversion"],
  upload: ["tdb"],
  version: ["libraryversion", "databaseversion"],
  visit: ["assessment"],
  who: ["user", "contact"],
};

/** The forms in which words are compared: "E-First" is "efirst", "gaps" is "gap". */
const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, "");
const stem = (word: string) => (word.length > 3 ? word.replace(/([^s])s$/, "$1") : word);

const typeName = (type: GraphQLNamedType, field: Field | undefined) => (field ? `${type.name}.${field.name}` : type.name);

function entriesOf(type: GraphQLNamedType): DocsEntry[] {
  const own: DocsEntry = { title: type.name, about: type.description ?? "", type };
  if (isEnumType(type)) return [own, ...type.getValues().map((value) => ({ title: `${type.name}.${value.name}`, about: value.description ?? "", type }))];
  if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [own];
  const fields = Object.values(type.getFields() as Record<string, Field>);
  return [
    own,
    ...fields.flatMap((field) => [
      { title: typeName(type, field), about: field.description ?? "", type, field },
      ...("args" in field ? field.args.map((argument) => ({ title: `${typeName(type, field)}(${argument.name}:)`, about: argument.description ?? "", type, field })) : []),
    ]),
  ];
}

/** The index of the documentation. Connections and edges are left out, because their nodes say the same. */
export function indexOf(schema: GraphQLSchema): Indexed[] {
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !/^__|(Connection|Edge)$/.test(name));
  return types.flatMap(entriesOf).map((entry) => ({
    ...entry,
    name: plain(entry.title),
    text: plain(`${entry.about} ${entry.field ? getNamedType(entry.field.type).name : ""}`),
  }));
}

/** The score of an entry for a word: by its last name, its whole name, a synonym of the word, or its description. */
function scoreOf({ name, text }: Indexed, word: string): number {
  const last = name.split(".").at(-1)!;
  if (last === word) return 12;
  if (last.startsWith(word)) return 9;
  if (last.includes(word)) return 7;
  const meant = synonyms[word] ?? [];
  if (meant.some((each) => last.includes(each))) return 6;
  if (name.includes(word)) return 5;
  if (new RegExp(`(^|[^a-z0-9])${word.replaceAll(/[^\p{L}\p{N}]/gu, "")}`, "u").test(text)) return 4;
  return meant.some((each) => name.includes(each) || text.replaceAll(" ", "").includes(each)) ? 2 : 0;
}

/** Sort values repeat the names of fields, so they come after all other entries. */
const isSort = ({ type }: DocsEntry) => /(Sort|Order)$/.test(type.name);

/** The entries that match all words of a text, the best first. */
export function searchDocs(index: readonly Indexed[], text: string, most = 40): DocsEntry[] {
  const whole = plain(text).replaceAll(/\s+/g, "");
  const words = whole in synonyms ? [whole] : plain(text).split(/\s+/).filter((word) => word !== "").map(stem);
  if (words.length === 0) return [];
  const scored = index.flatMap((entry) => {
    const scores = words.map((word) => scoreOf(entry, word));
    return scores.includes(0) ? [] : [{ entry, score: scores.reduce((sum, score) => sum + score, 0) }];
  });
  return scored
    .toSorted((one, other) => Number(isSort(one.entry)) - Number(isSort(other.entry)) || other.score - one.score || one.entry.title.length - other.entry.title.length)
    .slice(0, most)
    .map(({ entry }) => entry);
}
