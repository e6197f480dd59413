import { Button, Card, HTMLSelect } from "@blueprintjs/core";
import { useId, useState } from "react";
import { Link, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { ReconciliationFindingKind, ReconciliationState } from "../gql/graphql.ts";
import { files, routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { useAddress } from "../ui/filter/listAddress.ts";
import { type Filters, isAny, isOneOf } from "../ui/filter/wrongFilter.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";
import { FindingNoteDialog } from "./FindingNoteDialog.tsx";
import { type Finding, FindingsTable } from "./FindingsTable.tsx";
import { fieldTitle, findingKinds, findingStates, findingStateTitles, findingTitles } from "./listWords.ts";
import { faultWords } from "./registryCalls.ts";
import "./registry.css";

const query = graphql(`
  query ReconciliationScreenQuery($uuid: String!, $kind: ReconciliationFindingKind, $trend: ReconciliationTrend, $state: ReconciliationState, $field: String, $first: Int, $offset: Int) {
    registryReconciliation(uuid: $uuid) {
      reconciliation { uuid source fileName rows here equal found open compared notes previousUuid isNewest createdDate createdTime userName }
      kinds { kind found open gone new changed }
      fields { field found }
    }
    registryReconciliationFindings(uuid: $uuid, kind: $kind, trend: $trend, state: $state, field: $field, first: $first, offset: $offset) {
      totalCount
      nodes { number kind trend state note facilityUuid theirId facilityName place score reason warnings { column message } differences { field ours theirs } decidedDate decidedBy }
    }
  }
`);
const decideMutation = graphql(`
  mutation ReconciliationScreen_decide($input: DecideReconciliationFindingsInput!) {
    decideReconciliationFindings(input: $input) { result { reconciliation { uuid } } errors { path message } }
  }
`);
const importMutation = graphql(`
  mutation ReconciliationScreen_import($input: ImportReconciliationFindingsInput!) {
    importReconciliationFindings(input: $input) { review { import { uuid } } errors { path message } }
  }
`);

const gone = "gone";
const kindIn = (url: URLSearchParams): ReconciliationFindingKind | typeof gone =>
  url.get("kind") === gone ? gone : (findingKinds.find((kind) => kind === url.get("kind")) ?? findingKinds[0]!);
const stateIn = (url: URLSearchParams): ReconciliationState | undefined =>
  url.get("state") === "all" ? undefined : (findingStates.find((state) => state === url.get("state")) ?? "OPEN");
/** What the address may have. */
const filters: Filters = {
  kind: isOneOf(gone, ...findingKinds),
  state: isOneOf("all", ...findingStates),
  field: isAny,
};
function read(uuid: string, url: URLSearchParams) {
  const kind = kindIn(url);
  const page = { first: rowsIn(url), offset: offsetOf(url, "page", rowsIn(url)) };
  if (kind === gone) return { uuid, kind: null, trend: "GONE" as const, state: null, field: null, ...page };
  return {
    uuid,
    kind,
    trend: null,
    state: stateIn(url) ?? null,
    field: kind === "DIFFERS" ? url.get("field") : null,
    ...page,
  };
}
export const loader = guarded(
  "editRegistry",
  screenLoader(query, ({ params, url }) => read(params["uuid"] ?? "", url)),
);

const wrongOf = (errors: readonly { path: string; message: string }[] | undefined, failure: string | undefined) =>
  failure ?? errors?.map(faultWords).join("; ");

function Reconciliation() {
  const { uuid = "" } = useParams();
  const [url] = useSearchParams();
  const change = useAddress();
  const navigate = useNavigate();
  const base = useId();
  const kind = kindIn(url);
  const state = stateIn(url);
  const answer = useScreenQuery(query, read(uuid, url));
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<ReconciliationFindingKind>();
  const [noted, setNoted] = useState<Finding>();

  const set = (name: string, value: string) => change({ page: "", [name]: value });
  const decide = async (
    input: { state: ReconciliationState; note?: string | null; numbers?: number[]; kind?: ReconciliationFindingKind },
    done?: string,
  ) => {
    setBusy(true);
    const { data, failure } = await mutate(decideMutation, { input: { uuid, ...input } });
    setBusy(false);
    const wrong = wrongOf(data?.decideReconciliationFindings.errors, failure);
    if (wrong) showError(wrong);
    else if (done) showSuccess(done);
    answer.reload();
    return !wrong;
  };
  const makeImport = async (of: ReconciliationFindingKind) => {
    setBusy(true);
    const { data, failure } = await mutate(importMutation, { input: { uuid, kind: of } });
    setBusy(false);
    const made = data?.importReconciliationFindings;
    const wrong = wrongOf(made?.errors, failure);
    if (wrong || !made?.review) showError(wrong ?? "The import could not be made.");
    else navigate(routes.registryImport(made.review.import.uuid));
  };
  const saveNote = async ({ number, state: held }: Finding, words: string) => {
    const isDone = await decide({ state: held, numbers: [number], note: words.trim() || null }, "The note was saved");
    if (isDone) setNoted(undefined);
  };

  return (
    <QueryState query={answer} what="comparison">
      {({ registryReconciliation, registryReconciliationFindings: findings }) => {
        if (!registryReconciliation || !findings) return null;
        const { reconciliation: one, kinds, fields } = registryReconciliation;
        const countOf = (name: ReconciliationFindingKind) => kinds.find((each) => each.kind === name)!;
        const sum = (what: "gone" | "new" | "changed") => kinds.reduce((all, each) => all + each[what], 0);
        const title = kind === gone ? "Gone" : findingTitles[kind];
        const openHere = kind === gone ? 0 : countOf(kind).open;
        const panel = () => (
          <div className="stack">
            {kind === gone ? null : (
              <div className="row">
                <span className="row">
                  <label htmlFor={`${base}-state`}>Show</label>
                  <HTMLSelect
                    id={`${base}-state`}
                    onChange={(event) =>
                      set("state", event.currentTarget.value === "OPEN" ? "" : event.currentTarget.value)
                    }
                    options={[
                      ...findingStates.map((value) => ({ value: value as string, label: findingStateTitles[value] })),
                      { value: "all", label: "All" },
                    ]}
                    value={state ?? "all"}
                  />
                </span>
                {kind === "DIFFERS" ? (
                  <span className="row">
                    <label htmlFor={`${base}-field`}>Differing in</label>
                    <HTMLSelect
                      id={`${base}-field`}
                      onChange={(event) => set("field", event.currentTarget.value)}
                      options={[
                        { value: "", label: "any field" },
                        ...fields.map(({ field, found }) => ({
                          value: field,
                          label: `${fieldTitle(field)} (${formatNumber(found)})`,
                        })),
                      ]}
                      value={url.get("field") ?? ""}
                    />
                  </span>
                ) : null}
                {one.isNewest && openHere > 0 && kind !== "ONLY_HERE" ? (
                  <Button
                    disabled={isBusy}
                    onClick={() => void makeImport(kind)}
                    text={`Import the open ones (${formatNumber(openHere)})`}
                  />
                ) : null}
                {one.isNewest && openHere > 0 ? (
                  <Button disabled={isBusy} onClick={() => setAsked(kind)} text="Ignore all" />
                ) : null}
              </div>
            )}
            <PagedList
              empty="There is nothing like this."
              isSized
              label={`Pages of ${title.toLowerCase()}`}
              list={findings}
            >
              {(rows) => (
                <FindingsTable
                  caption={title}
                  findings={rows}
                  isBusy={isBusy}
                  isOpen={one.isNewest && kind !== gone}
                  onDecide={({ number }, to) => void decide({ state: to, numbers: [number] })}
                  onNote={setNoted}
                />
              )}
            </PagedList>
          </div>
        );
        return (
          <Page
            title={`Reconciliation: ${one.source}`}
            subtitle={<Link to={routes.reconciliations()}>Reconciliation</Link>}
            actions={<ExportButton href={files.reconciliationCsv(uuid)} label="of these findings" />}
          >
            <Card aria-label="Comparison" role="region">
              <FactList>
                <Fact label="File" unknown="–">
                  {one.fileName}
                </Fact>
                <Fact
                  label="Compared"
                  unknown="–"
                >{`${formatDate(one.createdDate)}, ${one.createdTime}${one.userName ? ` by ${one.userName}` : ""}`}</Fact>
                <Fact label="Facilities there" unknown="–">
                  {formatNumber(one.rows)}
                </Fact>
                <Fact label="Open facilities here" unknown="–">
                  {formatNumber(one.here)}
                </Fact>
                <Fact label="The same in both" unknown="–">
                  {formatNumber(one.equal)}
                </Fact>
                <Fact
                  label="Findings"
                  unknown="–"
                >{`${formatNumber(one.found)}, ${formatNumber(one.open)} of them open`}</Fact>
                <Fact label="Since the previous comparison" unknown="–">
                  {one.previousUuid ? (
                    <Link
                      to={routes.reconciliation(one.previousUuid)}
                    >{`${counted(sum("new"), "new one")}, ${formatNumber(sum("changed"))} changed, ${formatNumber(sum("gone"))} gone`}</Link>
                  ) : (
                    "The first with this source"
                  )}
                </Fact>
                <Fact isWide label="Compared fields" unknown="–">
                  {one.compared.map((field) => (field === "latitude" ? "Position" : fieldTitle(field))).join(", ")}
                </Fact>
                {one.notes.length > 0 ? (
                  <Fact isWide label="Left out" unknown="–">
                    {one.notes.join(" ")}
                  </Fact>
                ) : null}
                {one.isNewest ? null : (
                  <Fact isWide label="State" unknown="–">
                    There is a newer comparison with this source: decisions are taken there.
                  </Fact>
                )}
              </FactList>
            </Card>
            <UrlTabs
              clears={["page", "field", "state"]}
              label="Kinds of findings"
              name="kind"
              tabs={[
                ...findingKinds.map((name) => ({
                  id: name as string,
                  title: `${findingTitles[name]} (${formatNumber(countOf(name).found)})`,
                  panel,
                })),
                { id: gone, title: `Gone (${formatNumber(sum("gone"))})`, panel },
              ]}
            />
            <FindingNoteDialog finding={noted} onClose={() => setNoted(undefined)} onSave={saveNote} />
            <QuestionDialog
              asked={asked}
              onClose={setAsked}
              onConfirm={(of) => decide({ state: "IGNORED", kind: of }).then(() => setAsked(undefined))}
              title={(of) => `Ignore all ${findingTitles[of].toLowerCase()}`}
            >
              Every finding of this kind is ignored as long as it is the same. What changes, and what is new, is open
              again in the next comparison.
            </QuestionDialog>
          </Page>
        );
      }}
    </QueryState>
  );
}

/** The findings of a comparison with another list: our values beside theirs, each to be decided. */
export function ReconciliationScreen() {
  return (
    <KnownFilters filters={filters}>
      <Reconciliation />
    </KnownFilters>
  );
}
