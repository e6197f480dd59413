import { HTMLSelect } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { Field } from "../ui/field/Field.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query DistrictFieldQuery {
    provinces(first: 100) { nodes { id name districts(first: 100) { nodes { id districtId name } } } }
  }
`);

type DistrictFieldProps = {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** The chosen district, shown until the list has arrived. */
  present?: { districtId: number; district: string };
  error: string | undefined;
};

/** A choice of a district, by province. */
export function DistrictField({ field, present, error }: DistrictFieldProps) {
  const { data, error: failure } = useScreenQuery(query, {});
  const { ref, ...events } = field;
  return (
    <Field error={error} help={failure && !data ? "The list of districts cannot be had now. Open this page again in a moment." : undefined} isRequired label="District">
      {(control) => (
        // Rendered again when the list arrives: only then the earlier choice is one of the options.
        <HTMLSelect {...events} {...control} fill key={data ? "list" : "present"} ref={ref}>
          <option value="">Choose a district</option>
          {data
            ? data.provinces.nodes.map((province) => (
                <optgroup key={province.id} label={province.name}>
                  {province.districts.nodes.map(({ id, districtId, name }) => (
                    <option key={id} value={districtId}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              ))
            : present && <option value={present.districtId}>{present.district}</option>}
        </HTMLSelect>
      )}
    </Field>
  );
}
