import { AnchorButton, Button } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { explorerOf, routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { PopoverButton } from "../ui/form/PopoverButton.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { mutate } from "../urql.ts";
import { SaveQuestionDialog } from "./SaveQuestionDialog.tsx";

const removeMutation = graphql(`
  mutation SavedQueryMenuButton_remove($input: DeleteSavedQueryInput!) {
    deleteSavedQuery(input: $input) { savedQuery { id } errors { path message } }
  }
`);

type SavedQueryMenuButtonProps = {
  saved: { uuid: string; name: string; shared: boolean; editable: boolean };
};

/** What else can be done with a saved question: it is opened in the explorer, renamed, shared and removed. */
export function SavedQueryMenuButton({ saved }: SavedQueryMenuButtonProps) {
  const { uuid, name, editable } = saved;
  const navigate = useNavigate();
  const [asked, setAsked] = useState<"rename" | "remove">();
  const done = () => setAsked(undefined);
  const remove = async () => {
    const { data, failure } = await mutate(removeMutation, { input: { id: uuid } });
    const fault = failure ?? data?.deleteSavedQuery.errors[0]?.message;
    done();
    if (fault !== undefined) return showError(fault);
    showSuccess(`“${name}” was removed`);
    navigate(routes.questions());
  };
  const entries = [
    { text: "Rename or share", what: "rename" },
    { text: "Remove", what: "remove" },
  ] as const;
  return (
    <>
      <PopoverButton aria-label="More" icon={<MoreIcon />} side="end" title="More">
        {(close) => (
          <ul className="plain">
            <li>
              <AnchorButton href={explorerOf(uuid)} text="Open in the explorer" variant="minimal" />
            </li>
            {(editable ? entries : []).map(({ text, what }) => (
              <li key={what}>
                <Button
                  onClick={() => {
                    close();
                    setAsked(what);
                  }}
                  text={text}
                  variant="minimal"
                />
              </li>
            ))}
          </ul>
        )}
      </PopoverButton>
      {asked === "rename" ? <SaveQuestionDialog of={saved} onClose={done} onSaved={done} /> : null}
      <QuestionDialog asked={asked === "remove"} intent="danger" onClose={done} onConfirm={remove} title="Remove">
        “{name}” is removed, and its address with it: files that are refreshed from it get nothing any more.
      </QuestionDialog>
    </>
  );
}
