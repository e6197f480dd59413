import { useSearchParams } from "react-router-dom";
import { auditParameters } from "../../gateway/audit/listFilter.rules.ts";
import { graphql } from "../gql/gql.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { guarded } from "../shell/session/guard.ts";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { useSorting } from "../ui/filter/listSort.ts";
import { chipsOf, noneMatch } from "../ui/filter/listTexts.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { WrongFilterNotice } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { AuditFilterForm } from "./AuditFilterForm.tsx";
import { auditOrders, csvAddress, readAuditList, wrongIn } from "./auditList.ts";
import { AuditTable } from "./AuditTable.tsx";

const query = graphql(`
  query AuditScreenQuery($who: String, $action: String, $outcome: AuditOutcome, $start: Date, $end: Date, $about: String, $sort: AuditSort, $first: Int = 10, $offset: Int) {
    auditEvents(who: $who, action: $action, outcome: $outcome, start: $start, end: $end, about: $about, sort: $sort, first: $first, offset: $offset) {
      totalCount
      nodes { id ...AuditTable_AuditEvent }
    }
    auditActions
  }
`);

const start = screenLoader(query, ({ url }) => readAuditList(url));
export const loader = guarded("viewAudit", (args) =>
  wrongIn(new URL(args.request.url).searchParams) ? null : start(args),
);

function Events() {
  const [url] = useSearchParams();
  const variables = readAuditList(url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ auditEvents }) => auditEvents?.nodes);
  const sorting = useSorting(auditOrders, "-when");
  const chips = chipsOf(auditParameters, url);
  return (
    <>
      <PrintedNote answer={answer.data} words={chips.map(({ words }) => words)} />
      <ListBar
        chips={chips}
        file={{ href: csvAddress(url), label: "of these events" }}
        form={<AuditFilterForm actions={answer.data?.auditActions ?? []} />}
        order={{ orders: auditOrders, sorting }}
      >
        <ViewsButton />
      </ListBar>
      <QueryState query={answer} what="audit">
        {({ auditEvents }) => (
          <PagedList
            fetchFrom={fetchFrom}
            list={auditEvents}
            label="Pages of the audit"
            isSized
            empty={noneMatch("No event", chips) ?? "Nothing matches."}
          >
            {(rows, total) => <AuditTable caption={counted(total, "event")} rows={rows} sorting={sorting} />}
          </PagedList>
        )}
      </QueryState>
    </>
  );
}

/** The audit: who did what, and when. For administrators. */
export function AuditScreen() {
  const [url] = useSearchParams();
  const wrong = wrongIn(url);
  return <Page title="Audit">{wrong ? <WrongFilterNotice {...wrong} /> : <Events />}</Page>;
}
