import { Button } from "@blueprintjs/core";
import { mostReportQuestions } from "../../gateway/report/reportQuarter.rules.ts";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { graphql } from "../gql/gql.ts";
import { questionOf } from "../query/question.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { mutate, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query ReportQuestionsFieldQuery {
    savedQueries(first: 100) { nodes { id uuid name query } }
  }
`);
const editMutation = graphql(`
  mutation ReportQuestionsField_edit($input: ReportCommentInput!) {
    editReport(input: $input) {
      report { id number questions { uuid name query answer } }
      errors { path message }
    }
  }
`);

type ReportQuestionsFieldProps = {
  number: number;
  /** as it is stored */
  comment: string;
  questions: readonly { uuid: string; name: string }[];
};

/** Chooses the saved questions that stand in a draft. A choice takes effect at once. */
export function ReportQuestionsField({ number, comment, questions }: ReportQuestionsFieldProps) {
  const { data } = useScreenQuery(query, {});
  const chosen = questions.map(({ uuid }) => uuid);
  const others = (data?.savedQueries?.nodes ?? []).filter((one) => !chosen.includes(one.uuid) && questionOf(one.query));
  const change = async (uuids: string[]) => {
    const input = { number, comment, questions: uuids };
    const { data: changed, failure } = await mutate(editMutation, { input });
    const fault = failure ?? changed?.editReport.errors[0]?.message;
    if (fault !== undefined) showError(fault);
  };
  return (
    <>
      {questions.length > 0 ? (
        <ul aria-label="Questions in this report" className="plain">
          {questions.map(({ uuid, name }) => (
            <li className="row" key={uuid}>
              {name}
              <Button
                aria-label={`Remove ${name}`}
                onClick={() => void change(chosen.filter((one) => one !== uuid))}
                text="Remove"
                variant="minimal"
              />
            </li>
          ))}
        </ul>
      ) : null}
      {others.length > 0 && chosen.length < mostReportQuestions ? (
        <ChoiceField
          label="Add a saved question to this report"
          onChange={(uuid) => void change([...chosen, uuid])}
          options={[
            { value: "", label: "Choose a question" },
            ...others.map(({ uuid, name }) => ({ value: uuid, label: name })),
          ]}
          value=""
        />
      ) : null}
    </>
  );
}
