import { Button, Card, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";

const query = graphql(`
  query UserSecondFactorSectionQuery($uuid: String!) {
    user(uuid: $uuid) { id userName hasSecondFactor }
  }
`);

const removeMutation = graphql(`
  mutation UserSecondFactorSection_remove($input: UserInput!) {
    removeSecondFactorOfUser(input: $input) { user { id hasSecondFactor } errors { path message } }
  }
`);

/** The second factor of a person that the viewer manages, if there is one. It can be removed if it was lost. */
export function UserSecondFactorSection({ uuid }: { uuid: string }) {
  const { data } = useScreenQuery(query, { uuid });
  const [isAsked, setAsked] = useState<boolean>();
  const user = data?.user;
  if (!user?.hasSecondFactor) return null;

  const remove = async () => {
    const { data: answer, failure } = await mutate(removeMutation, { input: { uuid } });
    setAsked(false);
    if (answer?.removeSecondFactorOfUser.user) showSuccess(`${user.userName} signs in by the password alone`);
    else showError(failure ?? answer?.removeSecondFactorOfUser.errors[0]?.message ?? "The second factor could not be taken away");
  };

  return (
    <Card className="stack" aria-labelledby="user-factor-heading" role="region">
      <h2 id="user-factor-heading">Second factor</h2>
      <p>Sign-ins of {user.userName} ask for a code. Take it away when the device with the app and the recovery codes are lost.</p>
      <div>
        <Button intent={Intent.DANGER} onClick={() => setAsked(true)} text="Take away" variant="outlined" />
      </div>
      <QuestionDialog asked={isAsked} intent={Intent.DANGER} onClose={setAsked} onConfirm={remove} title="Take away">
        {user.userName} then signs in by the password alone, until they set up another. Their sessions end. Be sure who asks you for this.
      </QuestionDialog>
    </Card>
  );
}
