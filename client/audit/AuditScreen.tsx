import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { useSorting } from "../ui/filter/listSort.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { Chips } from "../ui/filter/Chips.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { guarded } from "../shell/session/guard.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { AuditFilterForm } from "./AuditFilterForm.tsx";
import { chipsOf, csvAddress, readFilter, writeFilter } from "./auditFilter.ts";
import { AuditTable } from "./AuditTable.tsx";

const query = graphql(`
  query AuditScreenQuery($who: String, $action: String, $outcome: AuditOutcome, $start: Date, $end: Date, $about: String, $oldestFirst: Boolean, $first: Int = 10, $offset: Int) {
    auditEvents(who: $who, action: $action, outcome: $outcome, start: $start, end: $end, about: $about, oldestFirst: $oldestFirst, first: $first, offset: $offset) {
      totalCount
      nodes { id ...AuditTable_AuditEvent }
    }
    auditActions
  }
`);

const read = ({ url }: { url: URLSearchParams }) => ({ ...readFilter(url), oldestFirst: url.get("sort") === "when" ? true : undefined, first: rowsIn(url), offset: offsetOf(url, "page", rowsIn(url)) });

export const loader = guarded("viewAudit", screenLoader(query, read));

/** Who did what, and when: for administrators. */
export function AuditScreen() {
  const [url, setUrl] = useSearchParams();
  const filter = readFilter(url);
  const answer = useScreenQuery(query, read({ url }));
  const sorting = useSorting(["when"], "-when");
  const chips = chipsOf(filter);
  const empty = chips.length > 0 ? `No event matches ${chips.map(({ words }) => `“${words}”`).join(" and ")}. Remove a filter above to see more.` : "Nothing matches.";
  return (
    <Page
      title="Audit"
      actions={
        <>
          <ExportButton href={csvAddress(filter)} label="of these events" />
          <ViewsButton />
        </>
      }
    >
      <AuditFilterForm
        key={url.toString()}
        actions={answer.data?.auditActions ?? []}
        filter={filter}
        onFilter={(wanted) => setUrl(writeFilter(wanted))}
      />
      <Chips chips={chips} onDropped={() => document.querySelector<HTMLElement>(".audit-filter input")?.focus()} />
      <QueryState query={answer} what="audit">
        {({ auditEvents }) =>
          auditEvents ? (
            <PagedList total={auditEvents.totalCount} shown={auditEvents.nodes.length} label="Pages of the audit" isSized empty={empty}>
              <AuditTable caption={counted(auditEvents.totalCount, "event")} rows={auditEvents.nodes} sorting={sorting} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </Page>
  );
}
