import { Button, Card } from "@blueprintjs/core";
import { useState } from "react";
import { Link, Navigate, useNavigate, useParams, useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { type ImportStep, routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { askAgain, mutate, screenLoader, useScreenQuery } from "../urql.ts";
import { faultWords } from "./registryCalls.ts";
import { ImportApplySection } from "./ImportApplySection.tsx";
import { type Decide, ImportReviewSection, lists, rowsOf } from "./ImportReviewSection.tsx";
import { type ImportList, statusTitles, stepTitles } from "./listWords.ts";
import { ImportReadSection } from "./reading/ImportReadSection.tsx";
import "./registry.css";

const query = graphql(`
  query ImportScreenQuery($uuid: String!, $kind: RegistryImportKind, $warned: Boolean, $first: Int, $offset: Int, $isReview: Boolean!, $isRead: Boolean!) {
    registryImport(uuid: $uuid) {
      import { uuid fileName status rows ignored createdDate createdTime userName appliedDate appliedBy revertedDate revertedBy }
      kinds { kind rows undecided accepted rejected warned acceptable }
      ...ImportReadSection_ReviewedRegistryImport @include(if: $isRead)
    }
    registryImportRows(uuid: $uuid, kind: $kind, warned: $warned, first: $first, offset: $offset) @include(if: $isReview) {
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

const discardMutation = graphql(`
  mutation ImportScreen_discard($uuid: String!) {
    discardRegistryImport(uuid: $uuid) { uuid errors { path message } }
  }
`);

const steps = ["read", "review", "apply"] as const satisfies ImportStep[];
/** The step that the address names; without it, the review of what can be reviewed. */
const stepIn = (url: URLSearchParams): ImportStep => steps.find((one) => one === url.get("step")) ?? "review";

const listIn = (url: URLSearchParams): ImportList => lists.find((one) => one === url.get("kind")) ?? "NEW";
const read = (uuid: string, url: URLSearchParams) => ({
  uuid,
  ...rowsOf(listIn(url)),
  first: rowsIn(url),
  offset: offsetOf(url, "page", rowsIn(url)),
  isRead: stepIn(url) === "read",
  isReview: stepIn(url) === "review",
});
export const loader = guarded(
  "editRegistry",
  screenLoader(query, ({ params, url }) => read(params["uuid"] ?? "", url)),
);

type Payload = { errors: readonly { path: string; message: string }[] } | null | undefined;
/** The most errors of a refusal that are shown. */
const mostListed = 10;

/** The steps, each with its address. A step that is not possible yet is no link. */
function StepsNav({
  uuid,
  step,
  isPossible,
}: {
  uuid: string;
  step: ImportStep;
  isPossible: (one: ImportStep) => boolean;
}) {
  return (
    <nav aria-label="Steps" className="screen-only">
      <ol className="plain row import-steps">
        {steps.map((one, place) => (
          <li key={one}>
            {isPossible(one) ? (
              <Link aria-current={one === step ? "step" : undefined} to={routes.registryImport(uuid, one)}>
                {place + 1} {stepTitles[one]}
              </Link>
            ) : (
              <span className="soft">
                {place + 1} {stepTitles[one]}
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/**
 * An import in three steps: how its file was read, the review of each row beside the stored values, and applying it as
 * a whole. It can be reverted as a whole.
 */
export function ImportScreen() {
  const { uuid = "" } = useParams();
  const [url] = useSearchParams();
  const navigate = useNavigate();
  const step = stepIn(url);
  const list = listIn(url);
  const answer = useScreenQuery(query, read(uuid, url));
  const [isBusy, setBusy] = useState(false);
  const [asked, setAsked] = useState<"apply" | "revert" | "discard">();

  /** Sends a call. Returns whether it was done. */
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
            .map(faultWords)
            .join("; ")}${errors.length > mostListed ? `; and ${errors.length - mostListed} more` : ""}`
        : undefined);
    if (message) showError(message);
    else if (done) showSuccess(done);
    setAsked(undefined);
    return !message;
  };
  const decide: Decide = (decision, which) =>
    void run(async () => {
      const { data, failure } = await mutate(decideMutation, { input: { uuid, decision, ...which } });
      return { payload: data?.decideRegistryImport, failure };
    }).then(answer.reload);
  const apply = () =>
    run(async () => {
      const { data, failure } = await mutate(applyMutation, { uuid });
      return { payload: data?.applyRegistryImport, failure };
    }, "The import was applied").then(answer.reload);
  const revert = () =>
    run(async () => {
      const { data, failure } = await mutate(revertMutation, { uuid });
      return { payload: data?.revertRegistryImport, failure };
    }, "The import was reverted").then(answer.reload);
  const discard = async () => {
    const isDone = await run(async () => {
      const { data, failure } = await mutate(discardMutation, { uuid });
      return { payload: data?.discardRegistryImport, failure };
    }, "The import was discarded");
    if (!isDone) return;
    askAgain();
    navigate(routes.registryImports());
  };

  return (
    <QueryState query={answer} what="import">
      {({ registryImport, registryImportRows: rows }) => {
        if (!registryImport) return null;
        const { import: one, kinds } = registryImport;
        // While the review is loading, the answer of the step before is shown, which has no rows.
        if (one.status === "READ" && (step === "apply" || rows))
          return <Navigate replace to={routes.registryImport(uuid, "read")} />;
        const isOpen = one.status !== "APPLIED";
        const accepted = kinds.reduce((sum, { accepted: count }) => sum + count, 0);
        const mayDiscard = one.status === "READ" || one.status === "READY";
        return (
          <Page
            title={`Import: ${one.fileName}`}
            subtitle={<Link to={routes.registryImports()}>Imports</Link>}
            actions={
              <>
                {mayDiscard ? <Button disabled={isBusy} onClick={() => setAsked("discard")} text="Discard" /> : null}
                {isOpen && step === "review" ? (
                  <>
                    <Button disabled={isBusy} onClick={() => decide("ACCEPTED", { all: true })} text="Accept all" />
                    <Button disabled={isBusy} onClick={() => decide("REJECTED", { all: true })} text="Reject all" />
                  </>
                ) : null}
                {isOpen && step !== "read" ? (
                  <BusyButton intent="primary" isBusy={isBusy} onClick={() => setAsked("apply")} text="Apply" />
                ) : null}
                {isOpen ? null : (
                  <BusyButton intent="danger" isBusy={isBusy} onClick={() => setAsked("revert")} text="Revert" />
                )}
              </>
            }
          >
            <StepsNav isPossible={(other) => other === "read" || one.status !== "READ"} step={step} uuid={uuid} />
            {step === "read" ? (
              <ImportReadSection isReadable={mayDiscard} onRead={answer.reload} review={registryImport} uuid={uuid} />
            ) : null}
            {step === "review" && rows ? (
              <ImportReviewSection
                isBusy={isBusy}
                isOpen={isOpen}
                kinds={kinds}
                list={list}
                onDecide={decide}
                rows={rows}
              />
            ) : null}
            {step === "apply" ? <ImportApplySection kinds={kinds} uuid={uuid} /> : null}
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
            <QuestionDialog
              asked={asked === "discard"}
              intent="danger"
              onClose={setAsked}
              onConfirm={discard}
              title="Discard the import"
            >
              Its file and its review are deleted. Nothing of it was applied, so the registry stays as it is.
            </QuestionDialog>
          </Page>
        );
      }}
    </QueryState>
  );
}
