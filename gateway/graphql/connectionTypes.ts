import {
  getNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  isNonNullType,
  isObjectType,
} from "graphql";

import { isConnection } from "./limits/cost.ts";

/**
 * Gives all lists of a noun the same connection type and edge type, for example FacilityConnection and FacilityEdge, so
 * that fragments on them can be shared. The builder makes separate types for each field. Here all fields of a noun get
 * the first of these, under the noun's name.
 */
export function shareConnections(schema: GraphQLSchema): GraphQLSchema {
  const first = new Map<string, GraphQLObjectType>();
  const gone = new Set<unknown>();
  const shared = (type: GraphQLOutputType): GraphQLOutputType => {
    if (isNonNullType(type)) return new GraphQLNonNull(shared(type.ofType) as GraphQLObjectType);
    if (!isObjectType(type) || !isConnection(type)) return type;
    const { nodes, edges } = type.getFields();
    const noun = getNamedType(nodes!.type).name;
    const edge = getNamedType(edges!.type) as GraphQLObjectType;
    const known = first.get(noun);
    if (known === type) return type;
    if (known) {
      gone.add(type).add(edge);
      return known;
    }
    type.name = `${noun}Connection`;
    edge.name = `${noun}Edge`;
    first.set(noun, type);
    return type;
  };
  for (const type of Object.values(schema.getTypeMap()))
    if (isObjectType(type)) for (const field of Object.values(type.getFields())) field.type = shared(field.type);
  const config = schema.toConfig();
  return new GraphQLSchema({ ...config, types: config.types.filter((type) => !gone.has(type)) });
}
