import { useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { nameRule, NameAndShareFields, showNameFaults } from "../ui/field/NameAndShareFields.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const saveMutation = graphql(`
  mutation SaveQuestionDialog_save($input: CreateSavedQueryInput!) {
    createSavedQuery(input: $input) {
      savedQuery { uuid }
      errors { path message }
    }
  }
`);

type SaveQuestionDialogProps = { query: string; sentence: string; onClose: () => void };

/** Saves a question under a name. It then has an address of its own, as a page and as CSV. */
export function SaveQuestionDialog({ query, sentence, onClose }: SaveQuestionDialogProps) {
  const navigate = useNavigate();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { name: "", shared: false } });
  const { errors, isSubmitting } = formState;
  const save = handleSubmit(async ({ name, shared }) => {
    const input = { name: name.trim(), description: sentence, query, shared };
    const { data, failure } = await mutate(saveMutation, { input });
    showNameFaults(setError, failure, data?.createSavedQuery.errors);
    const saved = data?.createSavedQuery.savedQuery;
    if (saved) navigate(routes.savedQuery(saved.uuid));
  });
  return (
    <ModalDialog isOpen onClose={onClose} title="Save question">
      <DialogForm
        action="Save question"
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
    </ModalDialog>
  );
}
