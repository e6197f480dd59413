import { Button, Checkbox } from "@blueprintjs/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { builtInSystems } from "../../db/facility/identifierSystems.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { SystemsTabQueryQuery } from "../gql/graphql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query SystemsTabQuery {
    identifierSystems { system name pattern isUnique }
  }
`);

export const loader = screenLoader(query, () => ({}));
const removeMutation = graphql(`
  mutation SystemsTab_remove($system: String!) {
    removeIdentifierSystem(system: $system) { errors { path message } }
  }
`);

const saveMutation = graphql(`
  mutation SystemsTab_save($input: SaveIdentifierSystemInput!) {
    saveIdentifierSystem(input: $input) { identifierSystem { system name } errors { path message } }
  }
`);

type System = NonNullable<SystemsTabQueryQuery["identifierSystems"]>[number];
const isAdded = ({ system }: System) => !builtInSystems.some((one) => one.system === system);

const columns: Column<System>[] = [
  { id: "name", header: "System", rowHeader: true, cell: ({ name }) => name },
  { id: "key", header: "Name to programs", phone: "line", cell: ({ system }) => <code>{system}</code> },
  {
    id: "pattern",
    header: "Form of an identifier",
    phone: "line",
    cell: ({ pattern }) => (pattern === null ? "any text" : <code>{pattern}</code>),
  },
  { id: "unique", header: "Of one facility at a time", cell: ({ isUnique }) => (isUnique ? "Yes" : "No") },
];
const actions = (change: (system: System) => void, remove: (system: System) => void): Column<System> => ({
  id: "actions",
  header: "Change",
  headerHidden: true,
  cell: (system) =>
    isAdded(system) ? (
      <span className="row">
        <Button aria-label={`Change ${system.name}`} onClick={() => change(system)} text="Change" />
        <Button aria-label={`Remove ${system.name}`} onClick={() => remove(system)} text="Remove" />
      </span>
    ) : (
      "Built in"
    ),
});

const fields = ["system", "name", "pattern"] as const;

type SystemDialogProps = {
  /** null: a new one */
  system: System | null;
  known: readonly { system: string; name: string }[];
  onClose: () => void;
  onSaved: (name: string) => void;
};

/** Adds a system of identifiers, or changes one that was added. Its technical name cannot be changed. */
function SystemDialog({ system: given, known, onClose, onSaved }: SystemDialogProps) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: {
      system: given?.system ?? "",
      name: given?.name ?? "",
      pattern: given?.pattern ?? "",
      isUnique: given?.isUnique ?? true,
    },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (typed) => {
    const input = { ...typed, system: given?.system ?? typed.system.trim(), pattern: typed.pattern.trim() || null };
    const other = given ? undefined : known.find(({ system }) => system === input.system);
    if (other) return setError("system", { message: `is that of ${other.name} already` }, { shouldFocus: true });
    const { data, failure } = await mutate(saveMutation, { input });
    for (const { path, message } of data?.saveIdentifierSystem.errors ?? [])
      setError(fields.find((name) => name === path) ?? "root", { message }, { shouldFocus: true });
    if (failure !== undefined) setError("root", { message: failure });
    const saved = data?.saveIdentifierSystem.identifierSystem;
    if (saved) onSaved(saved.name);
  });
  const title = given ? `Change ${given.name}` : "Add system";
  return (
    <ModalDialog isOpen onClose={onClose} title={title}>
      <DialogForm
        action={given ? "Save changes" : "Add system"}
        alert={errors.root?.message}
        closing="Cancel"
        isBusy={isSubmitting}
        onClose={onClose}
        onSubmit={submit}
      >
        <TextField
          autoComplete="off"
          error={errors.name?.message}
          field={register("name")}
          help="As people call it, such as Logistics number"
          isName
          isRequired
          label="Name"
        />
        <TextField
          autoComplete="off"
          disabled={given !== null}
          error={errors.system?.message}
          field={register("system")}
          help={
            given
              ? "It cannot be changed"
              : "For programs and columns of lists: a small letter first, then letters and digits, such as logistics"
          }
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
        <Checkbox {...register("isUnique")} label="An identifier belongs to one facility at a time" />
      </DialogForm>
    </ModalDialog>
  );
}

/** The systems with identifiers for facilities. Administrators add systems, and change and remove added ones. */
export function SystemsTab() {
  const mayManage = useMay("manageIdentifierSystems");
  const answer = useScreenQuery(query, {});
  /** the one that is changed; null: a new one */
  const [edited, setEdited] = useState<System | null>();
  const [removed, setRemoved] = useState<System>();
  const remove = async ({ system, name }: System) => {
    const { data, failure } = await mutate(removeMutation, { system });
    setRemoved(undefined);
    const message = failure ?? data?.removeIdentifierSystem.errors[0]?.message;
    if (message !== undefined) return showError(message);
    showSuccess(`${name} is removed`);
    answer.reload();
  };
  return (
    <QueryState query={answer} what="list of systems">
      {({ identifierSystems }) => (
        <div className="stack">
          <p className="note">
            A facility has any number of identifiers, each of one of these systems. Facilities are found by them.
          </p>
          {mayManage ? (
            <div className="row">
              <Button onClick={() => setEdited(null)} text="Add system" />
            </div>
          ) : null}
          <DataTable
            caption="Systems of identifiers"
            captionHidden
            opensAs={({ name }) => name}
            columns={mayManage ? [...columns, actions(setEdited, setRemoved)] : columns}
            rowKey={({ system }) => system}
            rows={identifierSystems ?? []}
          />
          {edited === undefined ? null : (
            <SystemDialog
              known={identifierSystems ?? []}
              onClose={() => setEdited(undefined)}
              onSaved={(name) => {
                setEdited(undefined);
                showSuccess(`Saved ${name}`);
                answer.reload();
              }}
              system={edited}
            />
          )}
          <QuestionDialog asked={removed} intent="danger" onClose={setRemoved} onConfirm={remove} title="Remove system">
            {({ name }) => `${name} is removed. Only a system of which no facility has an identifier can be.`}
          </QuestionDialog>
        </div>
      )}
    </QueryState>
  );
}
