import type { UseFormRegisterReturn } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { SelectField } from "../ui/field/SelectField.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query ProvinceFieldQuery {
    provinces(first: 100) { nodes { id provinceId name } }
  }
`);

type ProvinceFieldProps = {
  /** What react-hook-form's `register(name)` returned. */
  field: UseFormRegisterReturn;
  /** The chosen province, shown until the list has arrived, and also if it is closed. */
  present?: { provinceId: number | null; province: string | null };
  error: string | undefined;
  help?: string;
};

/** A choice of the province that a district lies in. */
export function ProvinceField({ field, present, error, help }: ProvinceFieldProps) {
  const { data } = useScreenQuery(query, {});
  const known = data?.provinces.nodes.map(({ provinceId, name }) => ({ value: provinceId, label: name })) ?? [];
  const isKnown = !present || known.some(({ value }) => value === present.provinceId);
  const options = isKnown ? known : [{ value: present.provinceId ?? "", label: present.province ?? "" }, ...known];
  return (
    <SelectField
      error={error}
      field={field}
      help={help}
      isRequired
      key={data ? "list" : "present"}
      label="Province"
      {...(present ? {} : { none: "Choose a province" })}
      options={options}
    />
  );
}
