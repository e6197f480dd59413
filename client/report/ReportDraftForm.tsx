import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { mostCommentCharacters } from "../../gateway/report/reportQuarter.rules.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { TextAreaField } from "../ui/field/TextAreaField.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { mutate } from "../urql.ts";

const editMutation = graphql(`
  mutation ReportDraftForm_edit($input: ReportCommentInput!) {
    editReport(input: $input) { report { id number comment } errors { path message } }
  }
`);
const signMutation = graphql(`
  mutation ReportDraftForm_sign($input: ReportCommentInput!) {
    signReport(input: $input) { report { id number state } errors { path message } }
  }
`);
const discardMutation = graphql(`
  mutation ReportDraftForm_discard($number: Int!) {
    discardReport(number: $number) { report { number } errors { path message } }
  }
`);

type Wrong = readonly { path: string; message: string }[] | undefined;

/** The author's comment on a draft; signs or discards the draft. */
export function ReportDraftForm({ number, comment, isOver }: { number: number; comment: string; isOver: boolean }) {
  const { register, handleSubmit, setError, getValues, formState } = useForm({ defaultValues: { comment } });
  const { errors, isSubmitting } = formState;
  const [asked, setAsked] = useState<"sign" | "discard">();
  const navigate = useNavigate();
  /** Shows why it was refused. Returns whether it was done. */
  const isDone = (failure: string | undefined, wrong: Wrong): boolean => {
    for (const { path, message } of wrong ?? [])
      setError(path === "comment" ? path : "root", {
        message: path === "quarter" ? `The quarter ${message}` : message,
      });
    if (failure !== undefined) setError("root", { message: failure });
    return failure === undefined && wrong?.length === 0;
  };
  const save = handleSubmit(async (input) => {
    const { data, failure } = await mutate(editMutation, { input: { number, ...input } });
    if (isDone(failure, data?.editReport.errors)) showSuccess("The comment was saved");
  });
  const sign = async () => {
    const { data, failure } = await mutate(signMutation, { input: { number, ...getValues() } });
    setAsked(undefined);
    if (isDone(failure, data?.signReport.errors)) showSuccess(`Report ${number} was signed`);
  };
  const discard = async () => {
    const { data, failure } = await mutate(discardMutation, { number }, { additionalTypenames: ["ReportConnection"] });
    setAsked(undefined);
    const problem = failure ?? data?.discardReport.errors[0]?.message;
    if (problem !== undefined) return showError(problem);
    showSuccess(`The draft ${number} was discarded`);
    navigate(routes.reports({}));
  };
  return (
    <form className="stack is-close screen-only" noValidate onSubmit={(event) => void save(event)}>
      <FormAlert message={errors.root?.message} />
      <TextAreaField
        error={errors.comment?.message}
        field={register("comment")}
        label="Comment of the author (at most two sentences)"
        maxLength={mostCommentCharacters}
        rows={3}
      />
      <div className="row">
        <BusyButton isBusy={isSubmitting} text="Save comment" type="submit" />
        {isOver ? <Button intent="primary" onClick={() => setAsked("sign")} text="Sign report" /> : null}
        <Button onClick={() => setAsked("discard")} text="Discard draft" variant="minimal" />
      </div>
      <QuestionDialog asked={asked === "sign"} onClose={setAsked} onConfirm={sign} title="Sign report">
        You sign the figures by what has been received until now, and your comment. A signed report never changes, and
        cannot be discarded.
      </QuestionDialog>
      <QuestionDialog
        asked={asked === "discard"}
        intent="danger"
        onClose={setAsked}
        onConfirm={discard}
        title="Discard draft"
      >
        The draft is removed. Its number is not given again.
      </QuestionDialog>
    </form>
  );
}
