import { Button, Classes, Tag } from "@blueprintjs/core";
import { PrintIcon } from "@blueprintjs/icons";
import { Link, useParams } from "react-router-dom";
import { stateOfQuarter } from "../../gateway/report/reportQuarter.rules.ts";
import { periodWords } from "../dash/periods.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { SavedReportScreenQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { idInPath } from "../ui/list/idInPath.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { instantText } from "../ui/text/instants.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { ReportCorrectionsTable } from "./ReportCorrectionsTable.tsx";
import { printReport, ReportDocumentSection } from "./ReportDocumentSection.tsx";
import { ReportDraftForm } from "./ReportDraftForm.tsx";
import { ReportQuestionsField } from "./ReportQuestionsField.tsx";
import { ReportQuestionsSection } from "./ReportQuestionsSection.tsx";
import { figuresFragment } from "./reportFigures.ts";

const query = graphql(`
  query SavedReportScreenQuery($number: Int!) {
    report(number: $number) {
      id number provinceId districtId implementingPartnerId place partner year quarter lastDay
      comment state savedBy savedAt signedBy signedAt mayWrite
      questions { uuid name query answer }
      figures { ...ReportFigures_ReportFigures }
      ...ReportCorrectionsTable_Report
    }
  }
`);
type Report = NonNullable<SavedReportScreenQueryQuery["report"]>;

/** A number of reports that no address of a report has. */
const none = 0;
const numberIn = (text: string | undefined): number => {
  const number = idInPath(text ?? null) ?? none;
  return number > none ? number : none;
};

export const loader = screenLoader(query, ({ params }) => {
  const number = numberIn(params["number"]);
  return number === none ? undefined : { number };
});

/** The author's sentences, and who signed them or that nobody did. */
function Closing({ report }: { report: Report }) {
  const { today, timeZone } = useSystem();
  const { number, comment, questions, state, lastDay, savedBy, savedAt, signedBy, signedAt, mayWrite } = report;
  const isOver = stateOfQuarter(report, today) === "over";
  const text = comment === "" ? null : <p className="report-comment measure">{comment}</p>;
  if (state === "SIGNED")
    return (
      <>
        {text}
        <p className="report-signature">
          Signed by <strong>{signedBy}</strong> on {instantText(signedAt!, timeZone)}.
        </p>
      </>
    );
  return (
    <>
      {mayWrite ? <div className="print-only">{text}</div> : text}
      <p className="report-signature">
        <strong>Draft, not signed.</strong> Saved by {savedBy} on {instantText(savedAt, timeZone)}. Its figures follow
        what is received until it is signed.
        {isOver ? "" : ` It can be signed after ${formatDate(lastDay)}, the last day of the quarter.`}
      </p>
      {mayWrite ? (
        <>
          <ReportDraftForm comment={comment} isOver={isOver} key={comment} number={number} />
          <div className="screen-only">
            <ReportQuestionsField comment={comment} number={number} questions={questions} />
          </div>
        </>
      ) : null}
    </>
  );
}

function Document({ report }: { report: Report }) {
  const { provinceId, districtId, implementingPartnerId, state } = report;
  const figures = readFragment(figuresFragment, report.figures);
  const scope = Object.fromEntries(
    Object.entries({ provinceId, districtId, implementingPartnerId }).filter(([, id]) => id !== null),
  );
  if (!figures)
    return (
      <div className="report stack is-apart">
        <Empty>
          {report.place} is no longer in the registry under this number, so there are no figures. Discard this draft and
          make a new report.
        </Empty>
        <Closing report={report} />
      </div>
    );
  return (
    <ReportDocumentSection
      closing={<Closing report={report} />}
      figures={figures}
      questions={<ReportQuestionsSection questions={report.questions} />}
      scope={scope}
      sinceThen={
        state === "SIGNED" ? (
          <section className="report-since stack is-close">
            <h2>Since then</h2>
            <p className="note">
              Received, corrected or set aside after the signature. The figures above do not count it.
            </p>
            <ReportCorrectionsTable report={report} />
          </section>
        ) : undefined
      }
    />
  );
}

/** A report with a number: a draft, or as it was signed. */
export function SavedReportScreen() {
  const number = numberIn(useParams()["number"]);
  const answer = useScreenQuery(query, { number }, number === none);
  if (number === none) return <NotFoundNotice what="report" />;
  const report = answer.data?.report;
  const about = report
    ? [report.place, report.partner, periodWords(report.year, report.quarter)].filter((part) => part !== null)
    : [];
  return (
    <QueryState query={answer} what="report">
      {({ report: found }) =>
        found ? (
          <Page
            title={`Quarterly report ${number}`}
            documentTitle={[`Quarterly report ${number}`, ...about].join(", ")}
            subtitle={
              <>
                {about.join(" · ")}{" "}
                <Tag intent={found.state === "SIGNED" ? "success" : "warning"} minimal>
                  {found.state === "SIGNED" ? "Signed" : "Draft"}
                </Tag>
              </>
            }
            actions={
              <>
                <Link className={Classes.BUTTON} to={routes.reports({})}>
                  Saved reports
                </Link>
                <Button icon={<PrintIcon />} onClick={() => void printReport()} text="Print or save as PDF" />
              </>
            }
          >
            <Document report={found} />
          </Page>
        ) : null
      }
    </QueryState>
  );
}
