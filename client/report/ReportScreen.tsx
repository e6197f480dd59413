import { Button, Classes, Tag } from "@blueprintjs/core";
import { PrintIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { daysOfQuarter, maySignReport, stateOfQuarter } from "../../gateway/report/reportQuarter.rules.ts";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { DocumentScopeControls } from "../dash/DocumentScopeControls.tsx";
import { entireYear, periodWords, quarterOptions, yearOptions } from "../dash/periods.ts";
import { readReportScope, reportParams } from "../dash/reportScope.ts";
import { scopeTitle, scopeVariables, scopeWhat } from "../dash/scope.ts";
import { useScopeNames } from "../dash/useScopeNames.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { currentSession } from "../shell/session/session.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useAddress } from "../ui/filter/listAddress.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { missingPart } from "../ui/notice/missingPart.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";
import { printReport, ReportDocumentSection } from "./ReportDocumentSection.tsx";
import { figuresFragment } from "./reportFigures.ts";
import { readReportPeriod } from "./reportPeriod.ts";

const query = graphql(`
  query ReportScreenQuery($year: Int!, $quarter: Int!, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    reportFigures(
      year: $year, quarter: $quarter
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) { ...ReportFigures_ReportFigures }
  }
`);

const saveMutation = graphql(`
  mutation ReportScreen_save($input: SaveReportInput!) {
    saveReport(input: $input) { report { id number } errors { path message } }
  }
`);

function variablesOf(params: URLSearchParams, today: string) {
  const { scope, partner } = readReportScope(params);
  return { ...readReportPeriod(params, today), ...scopeVariables(scope, partner) };
}

export const loader = screenLoader(query, ({ url }) => {
  const session = currentSession();
  const today = session.state === "signedIn" ? session.system.today : "";
  const variables = variablesOf(url, today);
  return stateOfQuarter(variables, today) === "ahead" ? undefined : variables;
});

/** A report that is not saved: a place and partner in one quarter, as counted now. */
export function ReportScreen() {
  const { today } = useSystem();
  const { user, privileges } = useViewer();
  const [params] = useSearchParams();
  const change = useAddress();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const { scope, partner } = readReportScope(params);
  const variables = variablesOf(params, today);
  const { year, quarter, ...within } = variables;
  const names = useScopeNames(scope, partner);
  const state = stateOfQuarter(variables, today);
  const answer = useScreenQuery(query, variables, state === "ahead");
  const ofPartner = scope.implementingPartnerId !== undefined;
  const about = [
    ofPartner ? scopeTitle({}, undefined) : names.place,
    ofPartner ? names.place : names.partnerWords,
    periodWords(year, quarter),
  ].filter(Boolean);
  const isWriter = maySignReport(
    { privileges, implementingPartnerId: user.implementingPartner.implementingPartnerId },
    within,
  );
  const save = async () => {
    setBusy(true);
    const { data, failure } = await mutate(
      saveMutation,
      { input: { ...variables, comment: "" } },
      { additionalTypenames: ["ReportConnection"] },
    );
    setBusy(false);
    const wrong = failure ?? data?.saveReport.errors[0]?.message;
    if (wrong !== undefined) return showError(wrong);
    navigate(routes.savedReport(data!.saveReport.report!.number));
  };
  const isPhone = useIsPhone();
  const saving =
    isWriter && state !== "ahead" ? (
      <BusyButton intent="primary" isBusy={isBusy} onClick={() => void save()} text="Save, to comment and sign" />
    ) : null;
  const controls = (
    <DocumentScopeControls names={names} partner={partner} scope={scope} set={params.has("quarter") ? 1 : 0}>
      <ChoiceField
        isInline
        label="Year"
        onChange={(chosen) => change((now) => ({ ...readReportPeriod(now, today), year: chosen }))}
        options={yearOptions(today).map((one) => ({ value: one, label: String(one) }))}
        value={year}
      />
      <ChoiceField
        isInline
        label="Quarter"
        onChange={(chosen) => change((now) => ({ ...readReportPeriod(now, today), quarter: chosen }))}
        options={quarterOptions.filter(({ value }) => value !== entireYear)}
        value={quarter}
      />
    </DocumentScopeControls>
  );
  const what = scopeWhat(scope, partner);
  const missing = missingPart(answer.error, what);
  if (missing !== undefined) return <NotFoundNotice what={missing} />;
  return (
    <Page
      title="Quarterly report"
      documentTitle={["Quarterly report", ...about].join(", ")}
      subtitle={
        <>
          {about.join(" · ")}{" "}
          <Tag intent="warning" minimal>
            Draft
          </Tag>
        </>
      }
      actions={
        <>
          {isPhone ? null : saving}
          <Link className={Classes.BUTTON} to={routes.reports(reportParams(scope, partner))}>
            Saved reports
          </Link>
          <Button icon={<PrintIcon />} onClick={() => void printReport()} text="Print or save as PDF" />
        </>
      }
    >
      {state === "ahead" ? (
        <>
          {controls}
          <Empty>
            This quarter lies ahead: it begins on {formatDate(daysOfQuarter(variables).start)}, and nothing can be
            reported yet.
          </Empty>
        </>
      ) : (
        <QueryState query={answer} what={what}>
          {({ reportFigures }) => {
            const figures = readFragment(figuresFragment, reportFigures);
            return figures ? (
              <ReportDocumentSection
                closing={
                  <>
                    <p className="report-signature">
                      <strong>Draft, not saved.</strong>{" "}
                      {state === "running" ? "The quarter is not over: these are the figures of today." : ""}
                    </p>
                    {isPhone ? <div className="screen-only">{saving}</div> : null}
                  </>
                }
                controls={controls}
                figures={figures}
                scope={within}
              />
            ) : null;
          }}
        </QueryState>
      )}
    </Page>
  );
}
