import type { FieldName, ValuesOf } from "../../db/facilityFields.rules.ts";
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
export const readFields = (facility: FragmentType<typeof fragment>): ValuesOf<FieldName> => readFragment(fragment, facility);
