import { graphql } from "../gql/gql.ts";
import { FilterChoiceField } from "../ui/filter/FilterFields.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query KnownValueFieldQuery {
    facilityOwner: facilityGroups(by: [FACILITY_OWNER], minimumSize: 1, first: 100) { value: facilityOwner }
    healthCenterType: facilityGroups(by: [HEALTH_CENTER_TYPE], minimumSize: 1, first: 100) { value: healthCenterType }
    facilityType: facilityGroups(by: [FACILITY_TYPE], minimumSize: 1, first: 100) { value: facilityType }
    laboratoryLevel: facilityGroups(by: [LABORATORY_LEVEL], minimumSize: 1, first: 100) { value: laboratoryLevel }
    operationStatus: facilityGroups(by: [OPERATION_STATUS], minimumSize: 1, first: 100) { value: operationStatus }
    libraryVersion: facilityGroups(by: [LIBRARY_VERSION], minimumSize: 1, first: 100) { value: libraryVersion }
  }
`);

const names = [
  "facilityOwner",
  "healthCenterType",
  "facilityType",
  "laboratoryLevel",
  "operationStatus",
  "libraryVersion",
] as const;
type Name = (typeof names)[number];
/** Whether the values of a filter are those that facilities have. */
export const isKnownValue = (name: string): name is Name => names.some((one) => one === name);

/** A choice of the values that facilities have, and of the one in the address. */
export function KnownValueField({ name, label, value }: { name: Name; label: string; value: string }) {
  const { data } = useScreenQuery(query, {});
  const known = (data?.[name] ?? []).flatMap((group) => group.value ?? []);
  const options = value === "" || known.includes(value) ? known : [value, ...known];
  return <FilterChoiceField label={label} name={name} options={options.map((one) => [one, one])} value={value} />;
}
