import { Classes } from "@blueprintjs/core";
import { Link, useSearchParams } from "react-router-dom";
import { maySignReport } from "../../gateway/report/reportQuarter.rules.ts";
import { DocumentScopeControls } from "../dash/DocumentScopeControls.tsx";
import { readReportScope, reportParams, scopeFilters } from "../dash/reportScope.ts";
import { scopeVariables } from "../dash/scope.ts";
import { useScopeNames } from "../dash/useScopeNames.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { reportRowFragment, ReportsTable } from "./ReportsTable.tsx";

const query = graphql(`
  query ReportsScreenQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int!, $offset: Int) {
    reports(
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
      first: $first, offset: $offset
    ) {
      totalCount
      nodes { id ...ReportsTable_Report }
    }
  }
`);

const rowsOfPage = 25;

function variablesOf(url: URLSearchParams) {
  const { scope, partner } = readReportScope(url);
  return { ...scopeVariables(scope, partner), first: rowsOfPage, offset: offsetOf(url, "page", rowsOfPage) };
}

export const loader = screenLoader(query, ({ url }) => variablesOf(url));

function Reports() {
  const [url] = useSearchParams();
  const { scope, partner } = readReportScope(url);
  const names = useScopeNames(scope, partner);
  const answer = useScreenQuery(query, variablesOf(url));
  const { user, privileges } = useViewer();
  const { implementingPartnerId } = user.implementingPartner;
  const about = reportParams(scope, partner);
  // Who signs the reports of one partner only makes one of that partner, unless another is chosen.
  const isOwn =
    !maySignReport({ privileges, implementingPartnerId }, {}) &&
    maySignReport({ privileges, implementingPartnerId }, { implementingPartnerId });
  return (
    <Page
      title="Reports"
      actions={
        <Link
          className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`}
          to={routes.report(isOwn ? { partner: implementingPartnerId, ...about } : about)}
        >
          New report
        </Link>
      }
    >
      <DocumentScopeControls names={names} partner={partner} scope={scope} />
      <QueryState query={answer} what="list of reports">
        {({ reports }) => (
          <PagedList
            empty="No report was saved here yet. “New report” shows the figures of the last quarter; who may sign it saves it there."
            label="Pages of reports"
            list={reports}
            size={rowsOfPage}
          >
            {(rows) => <ReportsTable rows={readFragment(reportRowFragment, rows)} />}
          </PagedList>
        )}
      </QueryState>
    </Page>
  );
}

/** The saved reports of the country, a place or a partner, the newest first. */
export function ReportsScreen() {
  return (
    <KnownFilters filters={scopeFilters}>
      <Reports />
    </KnownFilters>
  );
}
