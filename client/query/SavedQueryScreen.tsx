import { AnchorButton } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SavedQueryScreenQueryQuery } from "../gql/graphql.ts";
import { explorerOf } from "../routes.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { heardFetch } from "../ui/network/heardFetch.ts";
import { unreachableWords } from "../ui/network/reach.ts";
import { Failure } from "../ui/notice/Failure.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { addressWith, sortIn, variablesIn } from "./answerAddress.ts";
import { AnswerSheet } from "./AnswerSheet.tsx";
import { type AnswerTable, readTable } from "./answerTable.ts";
import { ParametersForm } from "./ParametersForm.tsx";

const query = graphql(`
  query SavedQueryScreenQuery($uuid: String!) {
    savedQuery(uuid: $uuid) {
      id uuid name description path ownerUserName own shared
      parameters { name type value choices }
    }
  }
`);

type Saved = NonNullable<SavedQueryScreenQueryQuery["savedQuery"]>;
/** The answer as a table, or why it is none; or why there is no answer. */
type Answer = { table: AnswerTable | string } | { failure: string };

export const loader = screenLoader(query, ({ params }) => ({ uuid: params["queryUuid"] ?? "" }));

/** Fetches the answer of an address. @throws DOMException if it is aborted */
async function fetchAnswer(address: string, signal: AbortSignal): Promise<Answer> {
  try {
    const response = await heardFetch(address, { signal, headers: { accept: "application/json" } });
    const body = (await response.json()) as {
      data?: unknown;
      detail?: string;
      errors?: { path: string; message: string }[];
    };
    if (response.ok) return { table: readTable(body.data) };
    return {
      failure:
        body.errors?.map(({ path, message }) => `${path} ${message}`).join("; ") ??
        body.detail ??
        `The platform answered ${response.status}.`,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: error instanceof TypeError ? unreachableWords : (error as Error).message };
  }
}

/** The present answer of an address; undefined while it is fetched. */
function useAnswer(address: string): [answer: Answer | undefined, reload: () => void] {
  const [found, setFound] = useState<{ address: string; answer: Answer }>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    fetchAnswer(address, stop.signal).then(
      (answer) => setFound({ address, answer }),
      () => {},
    );
    return () => stop.abort();
  }, [address, turn]);
  const reload = () => {
    setFound(undefined);
    setTurn(turn + 1);
  };
  return [found?.address === address ? found?.answer : undefined, reload];
}

function SavedQuery({ saved }: { saved: Saved }) {
  const [url, setUrl] = useSearchParams();
  const given = new URLSearchParams(variablesIn(url));
  const parameters = given.toString();
  const [answer, reload] = useAnswer(`${saved.path}${parameters ? `?${parameters}` : ""}`);
  const csv = `${saved.path}.csv?${new URLSearchParams([["pages", "all"], ...given]).toString()}`;
  return (
    <Page
      actions={
        <>
          <ExportButton href={csv} label="of all rows of this answer" />
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
          table={answer.table}
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
