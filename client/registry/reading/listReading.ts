import type { ImportReadSection_ReviewedRegistryImportFragment } from "../../gql/graphql.ts";

/** What was read of a list. */
export type ListReading = NonNullable<ImportReadSection_ReviewedRegistryImportFragment["reading"]>;

export type ReadPlace = ListReading["places"][number];
/** The key of a spelling. */
export const spellingKey = ({ province, district }: ReadPlace): string => JSON.stringify([province, district]);
