import { AnchorButton } from "@blueprintjs/core";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SavedQueryScreenQueryQuery } from "../gql/graphql.ts";
import { explorerOf, routes } from "../routes.ts";
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
import { addressOf, questionOf } from "./question.ts";
import { ParametersForm } from "./ParametersForm.tsx";
import { useAnswer } from "./useAnswer.ts";

const query = graphql(`
  query SavedQueryScreenQuery($uuid: String!) {
    savedQuery(uuid: $uuid) {
      id uuid name description query path ownerUserName own shared
      parameters { name type value choices }
    }
  }
`);

type Saved = NonNullable<SavedQueryScreenQueryQuery["savedQuery"]>;

export const loader = screenLoader(query, ({ params }) => ({ uuid: params["queryUuid"] ?? "" }));

function SavedQuery({ saved }: { saved: Saved }) {
  const [url, setUrl] = useSearchParams();
  const given = new URLSearchParams(variablesIn(url));
  const parameters = given.toString();
  const { answer: latest, isStale, reload } = useAnswer(`${saved.path}${parameters ? `?${parameters}` : ""}`);
  const answer = isStale ? undefined : latest;
  const question = questionOf(saved.query);
  const csv = `${saved.path}.csv?${new URLSearchParams([["pages", "all"], ...given]).toString()}`;
  return (
    <Page
      actions={
        <>
          <ExportButton href={csv} label="of all rows of this answer" />
          {question ? (
            <Link className="bp6-button" to={routes.questions(addressOf(question))}>
              Change this question
            </Link>
          ) : null}
          <AnchorButton href={explorerOf(saved.uuid)} text="Open in the explorer" />
        </>
      }
      subtitle={[saved.description, saved.own ? null : `Shared by ${saved.ownerUserName}`].filter(Boolean).join(" · ")}
      title={saved.name}
    >
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
      <RefreshNotice address={new URL(csv, location.href).href} />
    </Page>
  );
}

/** How a spreadsheet or a reporting tool keeps an answer up to date. */
function RefreshNotice({ address }: { address: string }) {
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
          token are asked for.
        </li>
        <li>
          Power BI: Get data, Web, paste the address; Basic with user name and token. Scheduled refresh keeps them.
        </li>
      </ol>
      <p>Never use your own password there. The parameters of the address are those of the form above.</p>
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
