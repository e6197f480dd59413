import { useEffect } from "react";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { nameRule, NameAndShareFields, showNameFaults } from "../ui/field/NameAndShareFields.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const saveMutation = graphql(`
  mutation SaveQuestionDialog_save($input: CreateSavedQueryInput!) {
    changed: createSavedQuery(input: $input) {
      savedQuery { id uuid }
      errors { path message }
    }
  }
`);
const renameMutation = graphql(`
  mutation SaveQuestionDialog_rename($input: UpdateSavedQueryInput!) {
    changed: updateSavedQuery(input: $input) {
      savedQuery { id uuid }
      errors { path message }
    }
  }
`);

type SaveQuestionDialogProps = {
  /** What is saved: a question that has no name yet, or a saved one, to be renamed or shared. */
  of: { query: string; sentence: string } | { uuid: string; name: string; shared: boolean };
  onClose: () => void;
  onSaved: (uuid: string) => void;
};

const mostLetters = 128;
/** Lists of saved questions, also empty ones, are asked for again. */
const context = { additionalTypenames: ["SavedQueryConnection"] };

function SaveForm({ of, onClose, onSaved }: SaveQuestionDialogProps) {
  const isNew = "sentence" in of;
  const { register, handleSubmit, setError, setFocus, formState } = useForm({
    defaultValues: isNew
      ? { name: of.sentence.slice(0, mostLetters), shared: false }
      : { name: of.name, shared: of.shared },
  });
  useEffect(() => {
    setFocus("name", { shouldSelect: true });
  }, [setFocus]);
  const { errors, isSubmitting } = formState;
  const save = handleSubmit(async ({ name, shared }) => {
    const values = { name: name.trim(), shared };
    const { data, failure } = isNew
      ? await mutate(saveMutation, { input: { ...values, query: of.query, description: of.sentence } }, context)
      : await mutate(renameMutation, { input: { ...values, uuid: of.uuid } }, context);
    showNameFaults(setError, failure, data?.changed.errors);
    if (data?.changed.savedQuery) onSaved(data.changed.savedQuery.uuid);
  });
  return (
    <DialogForm
      action={isNew ? "Save question" : "Save"}
      alert={errors.root?.message}
      isBusy={isSubmitting}
      onClose={onClose}
      onSubmit={save}
    >
      <NameAndShareFields
        error={errors.name?.message}
        label="Name"
        name={register("name", nameRule)}
        readers="is signed in"
        shared={register("shared")}
      />
    </DialogForm>
  );
}

/** Saves a question under a name, or renames a saved one. It has an address of its own, as a page and as CSV. */
export function SaveQuestionDialog(props: SaveQuestionDialogProps) {
  return (
    <ModalDialog isOpen onClose={props.onClose} title={"sentence" in props.of ? "Save question" : "Rename or share"}>
      <SaveForm {...props} />
    </ModalDialog>
  );
}
