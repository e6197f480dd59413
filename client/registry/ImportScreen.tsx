import { Button, Card } from "@blueprintjs/core";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { RegistryImportDecision, RegistryImportKind } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";
import { ImportRowsTable } from "./ImportRowsTable.tsx";
import { importKinds, type ImportList, listTitles, statusTitles, warned } from "./listWords.ts";
import "./registry.css";

const query = graphql(`
  query ImportScreenQuery($uuid: String!, $kind: RegistryImportKind, $warned: Boolean, $first: Int, $offset: Int) {
    registryImport(uuid: $uuid) {
      import { uuid fileName status rows ignored createdDate createdTime userName appliedDate appliedBy revertedDate revertedBy }
      kinds { kind rows undecided accepted rejected warned acceptable }
    }
    registryImportRows(uuid: $uuid, kind: $kind, warned: $warned, first: $first, offset: $offset) {
      totalCount
      nodes { line kind decision acceptable facilityName place facilityUuid score reason warnings { column message } changes { field present proposed } }
    }
  }
`);
const decideMutation = graphql(`
  mutation ImportScreen_decide($input: DecideRegistryImportInput!) {
    decideRegistryImport(input: $input) { review { import { uuid } } errors { path message } }
  }
`);
const applyMutation = graphql(`
  mutation ImportScreen_apply($uuid: String!) {
    applyRegistryImport(uuid: $uuid) { review { import { uuid } } errors { path message } }
  }
`);
const revertMutation = graphql(`
  mutation ImportScreen_revert($uuid: String!) {
    revertRegistryImport(uuid: $uuid) { review { import { uuid } } errors { path message } }
  }
`);

const lists: ImportList[] = [...importKinds, warned];
const listIn = (url: URLSearchParams): ImportList => lists.find((one) => one === url.get("kind")) ?? "NEW";
/** The filter of the rows, as the calls take it. */
const rowsOf = (list: ImportList) => (list === warned ? { warned: true } : { kind: list });
const read = (uuid: string, url: URLSearchParams) => ({
  uuid,
  ...rowsOf(listIn(url)),
  first: rowsIn(url),
  offset: offsetOf(url, "page", rowsIn(url)),
});
export const loader = guarded(
  "editRegistry",
  screenLoader(query, ({ params, url }) => read(params["uuid"] ?? "", url)),
);

type Payload = { errors: readonly { path: string; message: string }[] } | undefined;
/** The most errors of a refusal that are shown. */
const mostListed = 10;

/**
 * The review of a list: each row beside the stored values. It is then applied as a whole, and can be reverted as a
 * whole.
 */
export function ImportScreen() {
  const { uuid = "" } = useParams();
  const [url] = useSearchParams();
  const list = listIn(url);
  const answer = useScreenQuery(query, read(uuid, url));
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<"apply" | "revert">();

  const run = async (call: () => Promise<{ payload: Payload; failure: string | undefined }>, done?: string) => {
    setBusy(true);
    const { payload, failure } = await call();
    setBusy(false);
    const errors = payload?.errors ?? [];
    const message =
      failure ??
      (errors.length > 0
        ? `${errors
            .slice(0, mostListed)
            .map(({ path, message: words }) => `${path}: ${words}`)
            .join("; ")}${errors.length > mostListed ? `; and ${errors.length - mostListed} more` : ""}`
        : undefined);
    if (message) showError(message);
    else if (done) showSuccess(done);
    setAsked(undefined);
    answer.reload();
  };
  const decide = (
    decision: RegistryImportDecision,
    which: { lines?: number[]; kind?: RegistryImportKind; warned?: boolean; all?: boolean },
  ) =>
    void run(async () => {
      const { data, failure } = await mutate(decideMutation, { input: { uuid, decision, ...which } });
      return { payload: data?.decideRegistryImport, failure };
    });
  const apply = () =>
    run(async () => {
      const { data, failure } = await mutate(applyMutation, { uuid });
      return { payload: data?.applyRegistryImport, failure };
    }, "The import was applied");
  const revert = () =>
    run(async () => {
      const { data, failure } = await mutate(revertMutation, { uuid });
      return { payload: data?.revertRegistryImport, failure };
    }, "The import was reverted");

  return (
    <QueryState query={answer} what="import">
      {({ registryImport, registryImportRows: rows }) => {
        if (!registryImport || !rows) return null;
        const { import: one, kinds } = registryImport;
        const isOpen = one.status !== "APPLIED";
        const accepted = kinds.reduce((sum, { accepted: count }) => sum + count, 0);
        const counts = kinds.find((each) => each.kind === list);
        const rowCount = (name: ImportList) =>
          kinds.reduce((sum, one) => sum + (name === warned ? one.warned : one.kind === name ? one.rows : 0), 0);
        const title = listTitles[list];
        const changing = kinds.find(({ kind }) => kind === "IDENTIFIER_CHANGE");
        const panel = () => (
          <div className="stack">
            {isOpen && list !== "SAME" && (counts ? counts.acceptable : rows.totalCount) > 0 ? (
              <div className="row">
                {list === "IDENTIFIER_CHANGE" ? null : (
                  <Button
                    disabled={isBusy}
                    onClick={() => decide("ACCEPTED", rowsOf(list))}
                    text={`Accept all ${title.toLowerCase()}`}
                  />
                )}
                <Button
                  disabled={isBusy}
                  onClick={() => decide("REJECTED", rowsOf(list))}
                  text={`Reject all ${title.toLowerCase()}`}
                />
                {counts ? (
                  <span role="status">
                    {formatNumber(counts.accepted)} accepted, {formatNumber(counts.rejected)} rejected,{" "}
                    {formatNumber(counts.undecided)} undecided
                  </span>
                ) : null}
              </div>
            ) : null}
            <PagedList empty="There are no such rows." isSized label={`Pages of ${title.toLowerCase()}`} list={rows}>
              {(shown) => (
                <ImportRowsTable
                  caption={title}
                  isBusy={isBusy}
                  isOpen={isOpen}
                  namesKind={list === warned}
                  onDecide={(row, decision) => decide(decision, { lines: [row.line] })}
                  rows={shown}
                />
              )}
            </PagedList>
          </div>
        );
        return (
          <Page
            title={`Import: ${one.fileName}`}
            subtitle={<Link to={routes.registryImports()}>Imports</Link>}
            actions={
              isOpen ? (
                <>
                  <Button disabled={isBusy} onClick={() => decide("ACCEPTED", { all: true })} text="Accept all" />
                  <Button disabled={isBusy} onClick={() => decide("REJECTED", { all: true })} text="Reject all" />
                  <BusyButton intent="primary" isBusy={isBusy} onClick={() => setAsked("apply")} text="Apply" />
                </>
              ) : (
                <BusyButton intent="danger" isBusy={isBusy} onClick={() => setAsked("revert")} text="Revert" />
              )
            }
          >
            <Card aria-label="Import" role="region">
              <FactList>
                <Fact label="State" unknown="–">
                  {statusTitles[one.status]}
                </Fact>
                <Fact label="Rows" unknown="–">
                  {formatNumber(one.rows)}
                </Fact>
                <Fact label="Accepted" unknown="–">
                  {formatNumber(accepted)}
                </Fact>
                <Fact
                  label="Sent"
                  unknown="–"
                >{`${formatDate(one.createdDate)}, ${one.createdTime}${one.userName ? ` by ${one.userName}` : ""}`}</Fact>
                <Fact label="Applied" unknown="Not yet">
                  {one.appliedDate
                    ? `${formatDate(one.appliedDate)}${one.appliedBy ? ` by ${one.appliedBy}` : ""}`
                    : ""}
                </Fact>
                <Fact label="Reverted" unknown="No">
                  {one.revertedDate
                    ? `${formatDate(one.revertedDate)}${one.revertedBy ? ` by ${one.revertedBy}` : ""}`
                    : ""}
                </Fact>
                {one.ignored.length > 0 ? (
                  <Fact isWide label="Columns that are not used" unknown="–">
                    {one.ignored.join(", ")}
                  </Fact>
                ) : null}
              </FactList>
            </Card>
            {isOpen && changing && changing.undecided > 0 ? (
              <p className="note">
                {`${counted(changing.undecided, "row")} would change or remove an identifier of a facility. `}
                “Accept all” leaves them out: decide on each under “{listTitles.IDENTIFIER_CHANGE}”.
              </p>
            ) : null}
            <UrlTabs
              clears={["page"]}
              label="Kinds of rows"
              name="kind"
              tabs={lists.map((name) => ({
                id: name,
                title: `${listTitles[name]} (${formatNumber(rowCount(name))})`,
                panel,
              }))}
            />
            <QuestionDialog asked={asked === "apply"} onClose={setAsked} onConfirm={apply} title="Apply the import">
              {counted(accepted, "accepted row")} will change the registry, all or none. The others stay out.
            </QuestionDialog>
            <QuestionDialog
              asked={asked === "revert"}
              intent="danger"
              onClose={setAsked}
              onConfirm={revert}
              title="Revert the import"
            >
              Every facility of this import gets back what it had, and those that it added are removed. This is refused
              if something newer touched one of them.
            </QuestionDialog>
          </Page>
        );
      }}
    </QueryState>
  );
}
