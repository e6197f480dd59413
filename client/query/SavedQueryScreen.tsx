import { Card } from "@blueprintjs/core";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SavedQueryScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { addressWith, sortIn, variablesIn } from "./answerAddress.ts";
import { AnswerSheet } from "./AnswerSheet.tsx";
import { readTable } from "./answerTable.ts";
import { addressOf, type Question, questionOf } from "./question.ts";
import { ParametersForm } from "./ParametersForm.tsx";
import { QuestionAnswerSection } from "./QuestionAnswerSection.tsx";
import { QuestionExportButton } from "./QuestionExportButton.tsx";
import { SavedQueryMenuButton } from "./SavedQueryMenuButton.tsx";
import { useAnswer } from "./useAnswer.ts";
import { ownWords, useQuestionNames } from "./useQuestionNames.ts";
import "./QuestionsScreen.css";

const query = graphql(`
  query SavedQueryScreenQuery($uuid: String!) {
    savedQuery(uuid: $uuid) {
      id uuid name description query path ownerUserName own shared editable pinned
      parameters { name type value choices }
    }
  }
`);

type Saved = NonNullable<SavedQueryScreenQueryQuery["savedQuery"]>;

export const loader = screenLoader(query, ({ params }) => ({ uuid: params["queryUuid"] ?? "" }));

/** The answer of a query that was not built by clicks: its parameters, and a table under the names of its fields. */
function SavedAnswerSection({ saved, given }: { saved: Saved; given: URLSearchParams }) {
  const [url, setUrl] = useSearchParams();
  const parameters = given.toString();
  const { answer: latest, isStale, reload } = useAnswer(`${saved.path}${parameters ? `?${parameters}` : ""}`);
  const answer = isStale ? undefined : latest;
  return (
    <>
      {saved.parameters.length > 0 && (
        <ParametersForm
          given={given}
          key={parameters}
          onGiven={(texts) => setUrl(addressWith(texts, sortIn(url)))}
          parameters={saved.parameters}
        />
      )}
      {answer === undefined ? (
        <Loading />
      ) : "failure" in answer ? (
        <Failure message={answer.failure} onRetry={reload} />
      ) : (
        <AnswerSheet
          caption={saved.name}
          onSort={(by) => setUrl(addressWith(variablesIn(url), by), { replace: true })}
          sort={sortIn(url)}
          table={readTable(answer.data)}
        />
      )}
    </>
  );
}

/** The answer of a question that was built by clicks, as the builder shows it. */
function SavedQuestionSection({ question, name }: { question: Question; name: string }) {
  const { sentence } = useQuestionNames(question);
  return (
    <Card className="questions-answer stack">
      <h2 className={name === sentence ? "visually-hidden" : "questions-sentence"}>{sentence}</h2>
      <QuestionAnswerSection question={question} />
    </Card>
  );
}

function SavedQuery({ saved }: { saved: Saved }) {
  const [url] = useSearchParams();
  const given = new URLSearchParams(variablesIn(url));
  const question = questionOf(saved.query);
  const csv = `${saved.path}.csv?${new URLSearchParams([["pages", "all"], ...given]).toString()}`;
  return (
    <Page
      actions={
        <>
          {question ? (
            <>
              <QuestionExportButton question={question} title={saved.name} />
              <Link
                className="bp6-button"
                to={routes.questions(new URLSearchParams([...addressOf(question), ["saved", saved.uuid]]))}
              >
                Change this question
              </Link>
            </>
          ) : (
            <ExportButton href={csv} label="of all rows of this answer" />
          )}
          <SavedQueryMenuButton isPinnable={question !== undefined} saved={saved} />
        </>
      }
      subtitle={[ownWords(saved), saved.own ? null : `Shared by ${saved.ownerUserName}`].filter(Boolean).join(" · ")}
      title={saved.name}
    >
      {question ? (
        <SavedQuestionSection name={saved.name} question={question} />
      ) : (
        <SavedAnswerSection given={given} saved={saved} />
      )}
      <RefreshNotice address={new URL(csv, location.href).href} hasParameters={saved.parameters.length > 0} />
    </Page>
  );
}

/** How a spreadsheet or a reporting tool keeps an answer up to date. */
function RefreshNotice({ address, hasParameters }: { address: string; hasParameters: boolean }) {
  return (
    <details>
      <summary>Refresh it from Excel, LibreOffice or Power BI</summary>
      <p>
        The address of this answer as CSV: <code>{address}</code>
      </p>
      <ol>
        <li>Make an access token on your profile, only to read, for as long as the file is used.</li>
        <li>
          Excel: Data, From Web, paste the address; choose Basic, your user name, and the token as the password. Data,
          Refresh All brings the present answer.
        </li>
        <li>
          LibreOffice: Sheet, External Links, paste the address, and choose how often it is refreshed; user name and
          token are asked for. The function WEBSERVICE cannot sign in.
        </li>
        <li>
          Power BI: Get data, Web, paste the address; Basic with user name and token. Scheduled refresh keeps them.
        </li>
      </ol>
      <p>
        Never use your own password there.{" "}
        {hasParameters ? "The parameters of the address are those of the form above." : null}
      </p>
    </details>
  );
}

/** A saved query: its parameters, its answer as a table, and how a spreadsheet keeps it up to date. */
export function SavedQueryScreen() {
  const { queryUuid = "" } = useParams();
  const answer = useScreenQuery(query, { uuid: queryUuid });
  return (
    <QueryState query={answer} what="saved query">
      {({ savedQuery }) =>
        savedQuery ? <SavedQuery key={savedQuery.id} saved={savedQuery} /> : <NotFoundNotice what="saved query" />
      }
    </QueryState>
  );
}
