import { Button, Classes } from "@blueprintjs/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { Link, useNavigate } from "react-router-dom";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { FieldListSection_FieldListFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { nameRule, NameAndShareFields, showNameFaults } from "../ui/field/NameAndShareFields.tsx";
import { DialogForm } from "../ui/form/DialogForm.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { counted } from "../ui/text/counted.ts";
import { mutate } from "../urql.ts";

const fragment = graphql(`
  fragment FieldListSection_FieldList on FieldList {
    id uuid name shared own ownerUserName changeable sites closedSites
  }
`);
const changeMutation = graphql(`
  mutation FieldListSection_change($input: ChangeFieldListInput!) {
    changeFieldList(input: $input) { fieldList { id name shared } errors { path message } }
  }
`);
const deleteMutation = graphql(`
  mutation FieldListSection_delete($uuid: String!) {
    deleteFieldList(uuid: $uuid) { fieldList { uuid } errors { path message } }
  }
`);

type List = FieldListSection_FieldListFragment;

function ChangeForm({ list, onClose }: { list: List; onClose: () => void }) {
  const { register, handleSubmit, setError, formState } = useForm({
    defaultValues: { name: list.name, shared: list.shared },
  });
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (values) => {
    const { data, failure } = await mutate(changeMutation, { input: { uuid: list.uuid, ...values } });
    showNameFaults(setError, failure, data?.changeFieldList.errors);
    if (data?.changeFieldList.fieldList) onClose();
  });
  return (
    <DialogForm action="Save" alert={errors.root?.message} isBusy={isSubmitting} onClose={onClose} onSubmit={submit}>
      <NameAndShareFields
        error={errors.name?.message}
        label="Name of the list"
        name={register("name", nameRule)}
        readers="may assess"
        shared={register("shared")}
      />
    </DialogForm>
  );
}

/** Whose field list the screen shows, how many of its sites are closed, and what can be done with the whole list. */
export function FieldListSection({ fieldList }: { fieldList: FragmentType<typeof fragment> }) {
  const list = readFragment(fragment, fieldList);
  const [asked, setAsked] = useState<"change" | "delete">();
  const navigate = useNavigate();
  const close = () => setAsked(undefined);
  const remove = async () => {
    const { data, failure } = await mutate(
      deleteMutation,
      { uuid: list.uuid },
      { additionalTypenames: ["FieldListConnection"] },
    );
    close();
    const problem = failure ?? data?.deleteFieldList.errors[0]?.message;
    if (problem) return showError(problem);
    showSuccess(`The list ${list.name} was deleted`);
    navigate(routes.facilities());
  };
  const whose = list.own ? (list.shared ? "shared" : "only yours") : `shared by ${list.ownerUserName}`;
  return (
    <section aria-label="Field list" className="row is-spread screen-only">
      <span>
        <strong>{list.name}</strong> · {counted(list.sites, "site")}, {whose}
        {list.closedSites > 0 ? (
          <>
            {" · "}
            <Link to={routes.facilityList({ fieldList: list.uuid, closed: "yes" })}>{list.closedSites} closed</Link>
          </>
        ) : null}
      </span>
      <span className="row">
        <Link className={Classes.BUTTON} to={routes.field(list.uuid)}>
          Prepare for the field
        </Link>
        {list.changeable ? (
          <>
            <Button onClick={() => setAsked("change")} text="Rename or share" />
            <Button onClick={() => setAsked("delete")} text="Delete list" variant="minimal" />
          </>
        ) : null}
      </span>
      <ModalDialog isOpen={asked === "change"} onClose={close} title="Rename or share the list">
        <ChangeForm list={list} onClose={close} />
      </ModalDialog>
      <QuestionDialog
        asked={asked === "delete"}
        intent="danger"
        onClose={setAsked}
        onConfirm={remove}
        title="Delete list"
      >
        The list {list.name} will be gone for everybody who sees it. Its sites and their visits stay.
      </QuestionDialog>
    </section>
  );
}
