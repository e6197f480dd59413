import { facilityFields, type FieldName, type ValuesOf } from "../../db/facility/facilityFields.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";

/** Every field of the catalogue. If one is missing, the types fail. */
const fragment = graphql(`
  fragment FacilityFields_Facility on Facility {
    id
    hmisCode
    oldHmisCode
    facilityOwner
    healthCenterType
    facilityType
    laboratoryLevel
    latitude
    longitude
    catchmentPopulation
    operationStatus
  }
`);

/** A facility's plain fields, from an answer whose query contains FacilityFields_Facility. */
export const readFields = (facility: FragmentType<typeof fragment>): ValuesOf<FieldName> =>
  readFragment(fragment, facility);

/**
 * The value that was typed for a plain field. A text that is no number stays a text, so that it is refused for that
 * field.
 */
export function typedValue(name: FieldName, typed: string): string | number | null {
  const text = typed.trim();
  if (text === "") return null;
  const isNumber = ["count", "degrees"].includes(facilityFields[name].type) && /^-?\d+(\.\d+)?$/.test(text);
  return isNumber ? Number(text) : text;
}
