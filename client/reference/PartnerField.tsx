import type { UseFormRegisterReturn } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { SelectField } from "../ui/field/SelectField.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query PartnerFieldQuery {
    implementingPartners(active: true, first: 100) {
      nodes { id implementingPartnerId implementingPartner }
    }
  }
`);

type PartnerFieldProps = {
  label: string;
  field: UseFormRegisterReturn;
  error: string | undefined;
  /** the present partner, which may be no longer active */
  present?: { implementingPartnerId: number; implementingPartner: string } | null | undefined;
  /** the label of the choice of no partner, if there is one */
  none: string | undefined;
};

/** Chooses one of the active partners. */
export function PartnerField({ label, field, error, present, none }: PartnerFieldProps) {
  const { data } = useScreenQuery(query, {});
  const active = data?.implementingPartners.nodes ?? [];
  const isListed = active.some(({ implementingPartnerId }) => implementingPartnerId === present?.implementingPartnerId);
  const listed = present && !isListed ? [present, ...active] : active;
  return (
    <SelectField
      error={error}
      field={field}
      key={active.length}
      label={label}
      none={none}
      options={listed.map((one) => ({ value: String(one.implementingPartnerId), label: one.implementingPartner }))}
    />
  );
}
