import { DialogBody, Intent } from "@blueprintjs/core";
import { useForm } from "react-hook-form";
import { graphql } from "../gql/gql.ts";
import { CheckField } from "../ui/field/CheckField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { mutate } from "../urql.ts";

const saveMutation = graphql(`
  mutation SystemDialog_save($input: SaveIdentifierSystemInput!) {
    saveIdentifierSystem(input: $input) { identifierSystem { system name } errors { path message } }
  }
`);

type System = { system: string; name: string; pattern: string | null; isUnique: boolean };
const fields = ["system", "name", "pattern"] as const;

type SystemDialogProps = {
  /** null: a new one */
  system: System | null;
  known: readonly { system: string; name: string }[];
  onClose: () => void;
  onSaved: (name: string) => void;
};

/** Adds a system of identifiers, or changes one that was added. Its technical name cannot be changed. */
export function SystemDialog({ system: given, known, onClose, onSaved }: SystemDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { system: given?.system ?? "", name: given?.name ?? "", pattern: given?.pattern ?? "", isUnique: given?.isUnique ?? true },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (typed) => {
    const input = { ...typed, system: given?.system ?? typed.system.trim(), pattern: typed.pattern.trim() || null };
    const other = given ? undefined : known.find(({ system }) => system === input.system);
    if (other) return setError("system", { message: `is that of ${other.name} already` }, { shouldFocus: true });
    const { data, failure } = await mutate(saveMutation, { input });
    for (const { path, message } of data?.saveIdentifierSystem.errors ?? []) setError(fields.find((name) => name === path) ?? "root", { message }, { shouldFocus: true });
    if (failure !== undefined) setError("root", { message: failure });
    const saved = data?.saveIdentifierSystem.identifierSystem;
    if (saved) onSaved(saved.name);
  });
  const title = given ? `Change ${given.name}` : "Add system";
  return (
    <ModalDialog isOpen onClose={onClose} title={title}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <DialogBody className="stack">
          <FormAlert message={errors.root?.message} />
          <TextField autoComplete="off" error={errors.name?.message} field={register("name")} help="As people call it, such as Logistics number" isName isRequired label="Name" />
          <TextField
            autoComplete="off"
            disabled={given !== null}
            error={errors.system?.message}
            field={register("system")}
            help={given ? "It cannot be changed" : "For programs and columns of lists: a small letter first, then letters and digits, such as logistics"}
            isRequired
            label="Name to programs"
          />
          <TextField
            autoComplete="off"
            error={errors.pattern?.message}
            field={register("pattern")}
            help="A regular expression that a whole identifier matches, such as L-[0-9]{3}. None: any text"
            label="Form of an identifier"
          />
          <CheckField field={register("isUnique")} label="An identifier belongs to one facility at a time" />
        </DialogBody>
        <DialogButtons closing="Cancel" onClose={onClose}>
          <BusyButton intent={Intent.PRIMARY} isBusy={isSubmitting} text={given ? "Save changes" : "Add system"} type="submit" />
        </DialogButtons>
      </form>
    </ModalDialog>
  );
}
