import { Classes } from "@blueprintjs/core";
import { ExportIcon } from "@blueprintjs/icons";
import { useSearchParams } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { guarded } from "../shell/session/guard.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AuditFilterForm } from "./AuditFilterForm.tsx";
import { csvAddress, readFilter, writeFilter } from "./auditFilter.ts";
import { AuditTable } from "./AuditTable.tsx";

const query = graphql(`
  query AuditScreenQuery($who: String, $action: String, $outcome: AuditOutcome, $start: Date, $end: Date, $about: String, $offset: Int) {
    auditEvents(who: $who, action: $action, outcome: $outcome, start: $start, end: $end, about: $about, first: 10, offset: $offset) {
      totalCount
      nodes { id ...AuditTable_AuditEvent }
    }
    auditActions
  }
`);

const read = ({ url }: { url: URLSearchParams }) => ({ ...readFilter(url), offset: offsetOf(url) });

export const loader = guarded("viewAudit", screenLoader(query, read));

/** Who did what, and when: for administrators. */
export function AuditScreen() {
  const [url, setUrl] = useSearchParams();
  const filter = readFilter(url);
  const answer = useScreenQuery(query, read({ url }));
  return (
    <Page
      title="Audit"
      actions={
        <a className={Classes.BUTTON} download href={csvAddress(filter)}>
          <ExportIcon />
          <span className={Classes.BUTTON_TEXT}>Export CSV</span>
        </a>
      }
    >
      <AuditFilterForm
        key={url.toString()}
        actions={answer.data?.auditActions ?? []}
        filter={filter}
        onFilter={(wanted) => setUrl(writeFilter(wanted))}
      />
      <QueryState query={answer} what="audit">
        {({ auditEvents }) =>
          auditEvents ? (
            <PagedList total={auditEvents.totalCount} shown={auditEvents.nodes.length} label="Pages of the audit" empty="Nothing matches.">
              <AuditTable caption={counted(auditEvents.totalCount, "event")} rows={auditEvents.nodes} />
            </PagedList>
          ) : null
        }
      </QueryState>
    </Page>
  );
}
