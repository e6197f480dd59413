import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isLeafType,
  Kind,
  OperationTypeNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";

import type { RevisedNoun } from "./kept.ts";
import { places, sites, visits } from "./nounsOfAnswers.ts";

/**
 * The nouns from whose rows GraphQL answers come. An answer is kept until one of them changes (reading/kept.ts), if all
 * its types are listed here. A type is listed if its fields and lists depend on these nouns, the day and the rights of
 * the caller only: not on the person, the time or other tables. A new type needs no line here, but then no
 * query that selects it is kept. `test/rest/kept-walk.test.ts` compares these lists with what the statements read.
 */

/** A connection and its edges are listed with the type of their rows, unless they have their own line. */
const types: [nouns: readonly RevisedNoun[], names: string[]][] = [
  [[], ["PageInfo", "GroupAnswers", "GroupFigures", "GroupShare"]],
  [places, ["Province", "District", "Outline", "ImplementingPartner", "ServiceArea"]],
  [places, ["ConnectivityType", "ConnectivityProvider", "SmartCareVersion"]],
  [[...sites, "action"], ["Facility"]],
  [sites, ["FacilityConnectivity", "FacilityIdentifier", "FacilityState", "FacilityProblem", "IdentifierSystem"]],
  [sites, ["TdbSilence", "SilentSiteCount", "TdbHistoryRow", "TdbHistoryFacilityRow"]],
  [sites, ["DashboardRow", "ParamValueRow", "SummarySheetRow", "FacilityGroup", "FacilityGroupChange"]],
  [[...sites, "user"], ["PartnerPerson"]],
  [visits, ["Assessment", "ServiceAreaAssessment", "AssessmentRevision", "AssessmentChange", "SetAside"]],
  [visits, ["AssessmentGroup", "AssessmentGroupChange", "Tdb", "TdbGroup", "TdbGroupChange"]],
  [
    [...sites, "target"],
    ["Target", "TargetAttainment"],
  ],
  [[...visits, "worklist"], ["WorklistEntry"]],
  [[...visits, "action"], ["Action"]],
];
const nounsOfTypes = new Map(types.flatMap(([nouns, names]) => names.map((name) => [name, nouns] as const)));

/** The names of all listed types, for the tests. */
export const listedTypes: readonly string[] = [...nounsOfTypes.keys()];

const nounsOfType = ({ name }: GraphQLNamedType): readonly RevisedNoun[] | undefined =>
  nounsOfTypes.get(name) ?? nounsOfTypes.get(name.replace(/(Connection|Edge)$/, ""));

/** The variable without which a field is left out. */
const includedBy = ({ directives = [] }: FieldNode): string | undefined =>
  directives.flatMap(({ name, arguments: [given] = [] }) =>
    name.value === "include" && given?.value.kind === Kind.VARIABLE ? given.value.name.value : [],
  )[0];

/**
 * The nouns of a document, unless one of some variables is true, each with whether it is true by default; undefined if
 * its answers are never kept.
 */
type Nouns = { nouns: readonly RevisedNoun[]; unless: { name: string; usual: boolean }[] } | undefined;

function findNouns(schema: GraphQLSchema, document: DocumentNode): Nouns {
  const nouns = new Set<RevisedNoun>();
  const unless = new Set<string>();
  const notFalse = new Set<string>();
  let isListed = true;
  const typeInfo = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      [Kind.OPERATION_DEFINITION]: ({ operation }) => {
        if (operation !== OperationTypeNode.QUERY) isListed = false;
      },
      [Kind.VARIABLE_DEFINITION]: ({ variable, defaultValue }) => {
        if (defaultValue?.kind !== Kind.BOOLEAN || defaultValue.value) notFalse.add(variable.name.value);
      },
      // As at an earlier day, the rhythm of TDBs is read from the settings. What is somebody's own depends on the person.
      [Kind.ARGUMENT]: ({ name }) => {
        if (["asOf", "mine", "fieldList"].includes(name.value)) isListed = false;
      },
      [Kind.OBJECT_FIELD]: ({ name }) => {
        if (name.value === "fieldList") isListed = false;
      },
      [Kind.FIELD]: (node) => {
        const { name } = node;
        const field = typeInfo.getFieldDef();
        const isAtRoot = typeInfo.getParentType() === schema.getQueryType();
        if (name.value === "__typename") return undefined;
        const type = field && getNamedType(field.type);
        // A value belongs to the type that it is a field of.
        if (type && isLeafType(type) && !isAtRoot) return undefined;
        const found = type && nounsOfType(type);
        const variable = found ? undefined : includedBy(node);
        if (variable === undefined) isListed &&= found !== undefined;
        else unless.add(variable);
        for (const noun of found ?? []) nouns.add(noun);
        return variable === undefined ? undefined : false;
      },
    }),
  );
  if (!isListed) return undefined;
  return { nouns: [...nouns], unless: [...unless].map((name) => ({ name, usual: notFalse.has(name) })) };
}

const known = new WeakMap<DocumentNode, Nouns>();

/** The nouns from which the answer to a document comes; undefined if it must not be kept. */
export function nounsOfDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  values: Readonly<Record<string, unknown>> = {},
): readonly RevisedNoun[] | undefined {
  if (!known.has(document)) known.set(document, findNouns(schema, document));
  const { nouns, unless = [] } = known.get(document) ?? {};
  return unless.some(({ name, usual }) => values[name] ?? usual) ? undefined : nouns;
}
