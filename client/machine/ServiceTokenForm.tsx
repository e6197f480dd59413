import { type MadeToken, TokenForm } from "../auth/TokenForm.tsx";
import { graphql } from "../gql/gql.ts";
import { mutate } from "../urql.ts";

const createMutation = graphql(`
  mutation ServiceTokenForm_create($input: CreateServiceAccountTokenInput!) {
    createServiceAccountToken(input: $input) { accessToken { uuid } secret errors { path message } }
  }
`);

type ServiceTokenFormProps = { uuid: string; onMade: (token: MadeToken) => void; onCancel: () => void };

/** Creates a token of a service account. It has the privileges of its account. */
export function ServiceTokenForm({ uuid, onMade, onCancel }: ServiceTokenFormProps) {
  return (
    <TokenForm
      onCancel={onCancel}
      onMade={onMade}
      save={async ({ name, expiryDate }) => {
        const { data, failure } = await mutate(createMutation, { input: { uuid, name, expiryDate } });
        return { made: data?.createServiceAccountToken, failure };
      }}
    />
  );
}
