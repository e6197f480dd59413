import { privilegeNames } from "../../gateway/access/access.rules.ts";
import { graphql } from "../gql/gql.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { mutate } from "../urql.ts";
import type { MadeToken } from "./MadeTokenNotice.tsx";
import { TokenForm } from "./TokenForm.tsx";

const createMutation = graphql(`
  mutation AccessTokenForm_create($input: CreateAccessTokenInput!) {
    createAccessToken(input: $input) { accessToken { uuid name } secret errors { path message } }
  }
`);

type AccessTokenFormProps = { onMade: (token: MadeToken) => void; onCancel: () => void };

/** Creates an access token of the signed-in person. It has the person's privileges, or fewer. */
export function AccessTokenForm({ onMade, onCancel }: AccessTokenFormProps) {
  const { privileges } = useViewer();
  const own = privilegeNames.filter((name) => privileges.administrator || privileges[name]);
  return (
    <TokenForm
      privileges={own}
      onCancel={onCancel}
      onMade={onMade}
      save={async (input) => {
        const { data, failure } = await mutate(createMutation, { input });
        return { made: data?.createAccessToken, failure };
      }}
    />
  );
}
