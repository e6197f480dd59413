import { Button, Checkbox, DialogBody, FormGroup, InputGroup, Intent } from "@blueprintjs/core";
import { useId, useState } from "react";
import { Link, useLocation } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ViewsButtonQueryQuery } from "../gql/graphql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { lossText } from "../ui/text/lossText.ts";
import { mutate, useScreenQuery } from "../urql.ts";
import "./ViewsButton.css";

const query = graphql(`
  query ViewsButtonQuery {
    savedViews(first: 100) { totalCount nodes { id uuid name address shared ownerUserName own removable missing closed } }
  }
`);
const createMutation = graphql(`
  mutation ViewsButton_create($input: CreateSavedViewInput!) {
    createSavedView(input: $input) { savedView { id } errors { path message } }
  }
`);
const deleteMutation = graphql(`
  mutation ViewsButton_delete($uuid: String!) {
    deleteSavedView(uuid: $uuid) { savedView { id } errors { path message } }
  }
`);

type View = ViewsButtonQueryQuery["savedViews"]["nodes"][number];

/** The address of the open list, without its page. */
function useAddress(): string {
  const { pathname, search } = useLocation();
  const url = new URLSearchParams(search);
  for (const name of [...url.keys()]) if (/page$/i.test(name)) url.delete(name);
  const rest = url.toString();
  return rest ? `${pathname}?${rest}` : pathname;
}

function SaveForm({ onSaved }: { onSaved: () => void }) {
  const id = useId();
  const address = useAddress();
  const [name, setName] = useState("");
  const [isShared, setShared] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const save = async () => {
    setBusy(true);
    const { data, failure } = await mutate(createMutation, { input: { name: name.trim(), address, shared: isShared } });
    setBusy(false);
    const problem = data?.createSavedView.errors[0];
    if (failure) return showError(failure);
    if (problem) return setWrong(problem.path === "name" ? `The name ${problem.message}` : problem.message);
    setName("");
    setWrong(undefined);
    showSuccess("The view was saved");
    onSaved();
  };
  return (
    <form
      aria-label="Save this view"
      className="views-save"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim()) void save();
        else setWrong("The view needs a name.");
      }}
    >
      <FormGroup
        helperText={<span id={`${id}-wrong`}>{wrong}</span>}
        intent={wrong ? Intent.DANGER : Intent.NONE}
        label="Name of this view"
        labelFor={id}
      >
        <InputGroup
          aria-describedby={`${id}-wrong`}
          aria-invalid={wrong !== undefined}
          autoComplete="off"
          id={id}
          maxLength={128}
          onChange={(event) => setName(event.currentTarget.value)}
          value={name}
        />
      </FormGroup>
      <div className="row is-spread">
        <Checkbox
          checked={isShared}
          label="Share with everybody who is signed in"
          onChange={() => setShared(!isShared)}
        />
        <BusyButton intent={Intent.PRIMARY} isBusy={isBusy} text="Save this view" type="submit" />
      </div>
    </form>
  );
}

function ViewRow({ view, onOpen, onRemoved }: { view: View; onOpen: () => void; onRemoved: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    const { data, failure } = await mutate(deleteMutation, { uuid: view.uuid });
    setBusy(false);
    const problem = failure ?? data?.deleteSavedView.errors[0]?.message;
    if (problem) showError(problem);
    else onRemoved();
  };
  const notes = [view.shared ? (view.own ? "Shared" : `Shared by ${view.ownerUserName}`) : "Private", lossText(view)];
  return (
    <li className="views-row row is-spread">
      <div className="is-main">
        <Link onClick={onOpen} to={view.address}>
          {view.name}
        </Link>
        <span className="note">{notes.filter(Boolean).join(" · ")}</span>
      </div>
      {view.removable ? (
        <BusyButton
          aria-label={`Remove the view ${view.name}`}
          isBusy={isBusy}
          onClick={() => void remove()}
          text="Remove"
          variant="minimal"
        />
      ) : null}
    </li>
  );
}

function Views({ onClose }: { onClose: () => void }) {
  const answer = useScreenQuery(query, {});
  return (
    <>
      <DialogBody>
        <SaveForm onSaved={answer.reload} />
        <QueryState query={answer} what="list of views">
          {({ savedViews: { nodes } }) =>
            nodes.length > 0 ? (
              <ul aria-label="Saved views" className="plain">
                {nodes.map((view) => (
                  <ViewRow key={view.id} onOpen={onClose} onRemoved={answer.reload} view={view} />
                ))}
              </ul>
            ) : (
              <Empty>No views are saved yet.</Empty>
            )
          }
        </QueryState>
      </DialogBody>
      <DialogButtons onClose={onClose} />
    </>
  );
}

/**
 * Opens the dialog of saved views: the person's own and those that others share. The open list can be saved as a view.
 */
export function ViewsButton() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} text="Views" />
      <ModalDialog isOpen={isOpen} onClose={close} title="Saved views">
        <Views onClose={close} />
      </ModalDialog>
    </>
  );
}
