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

const pinMutation = graphql(`
  mutation SavedQueryMenuButton_pin($input: PinSavedQueryInput!) {
    pinSavedQuery(input: $input) { savedQuery { id pinned } errors { path message } }
  }
`);
/** Home asks again which ones are pinned, also if none was. */
const lists = { additionalTypenames: ["SavedQueryConnection"] };

type SavedQueryMenuButtonProps = {
  saved: { uuid: string; name: string; shared: boolean; editable: boolean; pinned: boolean };
  /** whether it has a chart for Home */
  isPinnable: boolean;
};

/** What else can be done with a saved question: it is pinned, opened in the explorer, renamed, shared and removed. */
export function SavedQueryMenuButton({ saved, isPinnable }: SavedQueryMenuButtonProps) {
  const { uuid, name, editable, pinned } = saved;
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
  const pin = async () => {
    const { data, failure } = await mutate(pinMutation, { input: { id: uuid, pinned: !pinned } }, lists);
    const fault = failure ?? data?.pinSavedQuery.errors[0]?.message;
    if (fault !== undefined) return showError(fault);
    showSuccess(pinned ? `“${name}” is no longer on your Home` : `“${name}” is on your Home, below the figures`);
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
            {isPinnable ? (
              <li>
                <Button
                  onClick={() => {
                    close();
                    void pin();
                  }}
                  text={pinned ? "Remove from Home" : "Pin to Home"}
                  variant="minimal"
                />
              </li>
            ) : null}
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
