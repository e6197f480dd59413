import { graphql } from "../gql/gql.ts";
import type { ChecksScreenQueryQuery } from "../gql/graphql.ts";
import { guarded } from "../shell/session/guard.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";

const query = graphql(`
  query ChecksScreenQuery {
    systemChecks { state findings { check state found remedy } }
  }
`);

type Finding = NonNullable<ChecksScreenQueryQuery["systemChecks"]>["findings"][number];

const states = { OK: "OK", WARNING: "Warning", FAILED: "Failed" };

const columns: Column<Finding>[] = [
  { id: "check", header: "Check", rowHeader: true, oneLine: true, cell: ({ check }) => check },
  {
    id: "state",
    header: "State",
    oneLine: true,
    phone: "end",
    cell: ({ state }) => (state === "OK" ? states[state] : <strong>{states[state]}</strong>),
  },
  {
    id: "found",
    header: "Found",
    phone: "line",
    cell: ({ found, remedy }) => (
      <span>
        {found}
        {remedy ? <code className="note is-line">{remedy}</code> : null}
      </span>
    ),
  },
];

/** The result in one sentence. */
function summaryOf(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ state }) => state !== "OK").length;
  return wrong === 0
    ? `${counted(findings.length, "check")}, all is well`
    : `${counted(findings.length, "finding")}, ${wrong} to look at`;
}

export const loader = guarded(
  "viewSystem",
  screenLoader(query, () => ({})),
);

/**
 * The findings of `npm run doctor` about this installation, each with the command or setting that fixes it. For
 * administrators.
 */
export function ChecksScreen() {
  const answer = useScreenQuery(query, {});
  return (
    <Page
      title="Checks"
      actions={<BusyButton isBusy={answer.stale || answer.fetching} onClick={answer.reload} text="Check again" />}
    >
      <QueryState query={answer} what="checks">
        {({ systemChecks }) =>
          systemChecks ? (
            <>
              <DataTable
                caption={summaryOf(systemChecks.findings)}
                columns={columns}
                opensAs={({ check }) => `the check ${check}`}
                rows={systemChecks.findings}
                rowKey={({ check, found }) => `${check} ${found}`}
              />
              <p>The settings and the replica are checked by the command npm run doctor.</p>
            </>
          ) : null
        }
      </QueryState>
    </Page>
  );
}
