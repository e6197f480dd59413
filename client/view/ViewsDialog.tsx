import { DialogBody, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useLocation } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ViewsDialogQueryQuery } from "../gql/graphql.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { nameRule, NameAndShareFields, showNameFaults } from "../ui/field/NameAndShareFields.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { lossText } from "../ui/text/lossText.ts";
import { mutate, useScreenQuery } from "../urql.ts";
import "./ViewsDialog.css";

const query = graphql(`
  query ViewsDialogQuery {
    savedViews(first: 100) { totalCount nodes { id uuid name address shared ownerUserName own removable missing closed } }
  }
`);
const createMutation = graphql(`
  mutation ViewsDialog_create($input: CreateSavedViewInput!) {
    createSavedView(input: $input) { savedView { id } errors { path message } }
  }
`);
const deleteMutation = graphql(`
  mutation ViewsDialog_delete($uuid: String!) {
    deleteSavedView(uuid: $uuid) { savedView { id } errors { path message } }
  }
`);

type View = ViewsDialogQueryQuery["savedViews"]["nodes"][number];

/** The address of the open list, without its page. */
function useAddress(): string {
  const { pathname, search } = useLocation();
  const url = new URLSearchParams(search);
  for (const name of [...url.keys()]) if (/page$/i.test(name)) url.delete(name);
  const rest = url.toString();
  return rest ? `${pathname}?${rest}` : pathname;
}

function SaveForm({ onSaved }: { onSaved: () => void }) {
  const address = useAddress();
  const { register, handleSubmit, reset, setError, formState } = useForm({
    defaultValues: { name: "", shared: false },
  });
  const { errors, isSubmitting } = formState;
  const save = handleSubmit(async ({ name, shared }) => {
    const { data, failure } = await mutate(createMutation, { input: { name: name.trim(), address, shared } });
    showNameFaults(setError, failure, data?.createSavedView.errors);
    if (!data?.createSavedView.savedView) return;
    reset();
    showSuccess("The view was saved");
    onSaved();
  });
  return (
    <form aria-label="Save this view" className="views-save" noValidate onSubmit={(event) => void save(event)}>
      <FormAlert message={errors.root?.message} />
      <NameAndShareFields
        error={errors.name?.message}
        label="Name of this view"
        name={register("name", nameRule)}
        readers="is signed in"
        shared={register("shared")}
      />
      <BusyButton intent={Intent.PRIMARY} isBusy={isSubmitting} text="Save this view" type="submit" />
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

/** The person's own saved views and those that others share. The open list can be saved as a view. */
export function ViewsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <ModalDialog isOpen={isOpen} onClose={onClose} title="Saved views">
      <Views onClose={onClose} />
    </ModalDialog>
  );
}
