import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { mutate, useScreenQuery } from "../urql.ts";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { ownWords } from "./useQuestionNames.ts";

const dialog = fetchedPart(() => import("./SaveQuestionDialog.tsx"));

const query = graphql(`
  query SaveQuestionButtonQuery($uuid: String!) {
    savedQuery(uuid: $uuid) { id uuid name description query own }
  }
`);
const saveMutation = graphql(`
  mutation SaveQuestionButton_save($input: UpdateSavedQueryInput!) {
    updateSavedQuery(input: $input) { savedQuery { id uuid } errors { path message } }
  }
`);

type SaveQuestionButtonProps = {
  query: string;
  sentence: string;
  /** the saved question that is being changed */
  savedUuid: string | null;
};

/** Saves a question: a saved one of one's own with its changes, or a new one under a name. */
export function SaveQuestionButton({ query: text, sentence, savedUuid }: SaveQuestionButtonProps) {
  const navigate = useNavigate();
  const [isNaming, setNaming] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { data } = useScreenQuery(query, { uuid: savedUuid ?? "" }, savedUuid === null);
  const own = savedUuid !== null && data?.savedQuery?.own ? data.savedQuery : undefined;
  const close = () => setNaming(false);
  const unfetched = (message: string) => {
    close();
    showError(message);
  };
  const open = (uuid: string) => navigate(routes.savedQuery(uuid));
  const save = async (saved: NonNullable<typeof own>) => {
    const { uuid, name } = saved;
    setBusy(true);
    const input = { uuid, query: text, description: ownWords(saved) ?? sentence };
    const { data: answer, failure } = await mutate(saveMutation, { input });
    setBusy(false);
    const fault = failure ?? answer?.updateSavedQuery.errors[0]?.message;
    if (fault !== undefined) return showError(fault);
    showSuccess(`“${name}” was changed`);
    open(uuid);
  };
  return (
    <>
      {own ? (
        <BusyButton
          intent="primary"
          isBusy={isBusy}
          onClick={() => void save(own)}
          text="Save changes"
          title={`Of “${own.name}”`}
        />
      ) : null}
      <Button
        aria-label={own ? undefined : "Save question"}
        onClick={() => setNaming(true)}
        text={own ? "Save as a new question" : "Save"}
      />
      <FetchedDialog isOpen={isNaming} onFailure={unfetched} part={dialog}>
        {({ SaveQuestionDialog }) =>
          isNaming ? <SaveQuestionDialog of={{ query: text, sentence }} onClose={close} onSaved={open} /> : null
        }
      </FetchedDialog>
    </>
  );
}
