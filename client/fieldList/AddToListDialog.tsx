import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { v7 } from "uuid";
import type { BulkDialogProps } from "../bulk/bulkAsking.ts";
import { graphql } from "../gql/gql.ts";
import { nameRule, NameAndShareFields, showNameFaults } from "../ui/field/NameAndShareFields.tsx";
import { SelectField } from "../ui/field/SelectField.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { counted } from "../ui/text/counted.ts";
import { mutate, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query AddToListDialogQuery {
    fieldLists(first: 100) { nodes { id uuid name changeable sites } }
  }
`);
const createMutation = graphql(`
  mutation AddToListDialog_create($input: CreateFieldListInput!) {
    createFieldList(input: $input) { fieldList { id uuid } errors { path message } }
  }
`);
const addMutation = graphql(`
  mutation AddToListDialog_add($input: SitesOfFieldListInput!) {
    addSitesToFieldList(input: $input) {
      bulkAct { ...BulkDoneNotice_BulkAct }
      errors { path message }
    }
  }
`);

type ListFormProps = BulkDialogProps & { lists: readonly { uuid: string; name: string; sites: number }[] };

function ListForm({ asking: { sites }, onClose, onDone, lists }: ListFormProps) {
  const [bulkActUuid] = useState(() => v7());
  // A list that was made stays when adding to it fails; the next attempt uses it.
  const [made, setMade] = useState<string>();
  const { register, control, handleSubmit, setError, formState } = useForm({
    defaultValues: { list: "", name: "", shared: false },
  });
  const { errors, isSubmitting } = formState;
  const isNew = useWatch({ control, name: "list" }) === "";
  const make = async (name: string, shared: boolean) => {
    const { data, failure } = await mutate(createMutation, { input: { name, shared } });
    showNameFaults(setError, failure, data?.createFieldList.errors);
    setMade(data?.createFieldList.fieldList?.uuid);
    return data?.createFieldList.fieldList?.uuid;
  };
  const submit = handleSubmit(async ({ list, name, shared }) => {
    const fieldList = list || made || (await make(name, shared));
    if (!fieldList) return;
    const { data, failure } = await mutate(
      addMutation,
      { input: { bulkActUuid, sites, fieldList } },
      { additionalTypenames: ["FieldList", "FieldListConnection"] },
    );
    showNameFaults(setError, failure, data?.addSitesToFieldList.errors);
    if (!data?.addSitesToFieldList.bulkAct) return;
    onDone(data.addSitesToFieldList.bulkAct, fieldList);
    onClose();
  });
  return (
    <DialogForm
      action="Add to the list"
      alert={errors.root?.message}
      isBusy={isSubmitting}
      onClose={onClose}
      onSubmit={submit}
    >
      {lists.length > 0 ? (
        <SelectField
          field={register("list")}
          label="Field list"
          none="A new list"
          options={lists.map((list) => ({
            value: list.uuid,
            label: `${list.name} (${counted(list.sites, "site")})`,
          }))}
        />
      ) : null}
      {isNew ? (
        <NameAndShareFields
          error={errors.name?.message}
          label="Name of the new list"
          name={register("name", nameRule)}
          readers="may assess"
          shared={register("shared")}
        />
      ) : null}
    </DialogForm>
  );
}

/** Puts the sites on a field list: one that the person may change, or a new one. */
export function AddToListDialog(props: BulkDialogProps) {
  const { data, error } = useScreenQuery(query, {});
  const lists = (data?.fieldLists?.nodes ?? []).filter(({ changeable }) => changeable);
  return (
    <ModalDialog isOpen={props.isOpen} onClose={props.onClose} title={`Add to a field list: ${props.asking.what}`}>
      {data || error ? <ListForm {...props} lists={lists} /> : <Loading />}
    </ModalDialog>
  );
}
