import { graphql } from "../gql/gql.ts";
import { FilterChoiceField } from "../ui/filter/FilterFields.tsx";
import { useScreenQuery } from "../urql.ts";

const query = graphql(`
  query FieldListFieldQuery {
    fieldLists(first: 100) { nodes { id uuid name } }
  }
`);

/** The filter of a list of facilities by a field list. */
export function FieldListField({ label, value }: { label: string; value: string }) {
  const { data } = useScreenQuery(query, {});
  const lists = data?.fieldLists?.nodes ?? [];
  return (
    <FilterChoiceField
      label={label}
      name="fieldList"
      options={lists.map(({ uuid, name }) => [uuid, name])}
      value={value}
    />
  );
}
