import { Card, HTMLSelect } from "@blueprintjs/core";
import { useSearchParams } from "react-router-dom";
import { may } from "../../../gateway/access/access.rules.ts";
import { type TimelineKind, timelineKinds, timelineNeeds } from "../../../gateway/facility/timeline.rules.ts";
import { graphql } from "../../gql/gql.ts";
import type { TimelineKind as KindName, TimelineSectionQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { useViewer } from "../../shell/session/viewer.ts";
import { worklistTitles, isKind as isWorklistKind } from "../../action/worklistKinds.ts";
import { useListAddress } from "../../ui/filter/listAddress.ts";
import { PagedList } from "../../ui/list/PagedList.tsx";
import { offsetOf } from "../../ui/list/pageOffset.ts";
import { NeedsNetworkNote } from "../../ui/notice/NeedsNetworkNote.tsx";
import { QueryState } from "../../ui/notice/QueryState.tsx";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { formatDate } from "../../ui/text/dates.ts";
import { notCountedText } from "../../ui/text/notCountedText.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../../urql.ts";
import { changesLine, eventWords, kindWords } from "./timelineWords.ts";
import "./TimelineSection.css";

const query = graphql(`
  query TimelineSectionQuery($facilityUuid: String!, $kind: TimelineKind, $first: Int = 10, $offset: Int) {
    facility(facilityUuid: $facilityUuid) {
      id
      timeline(kind: $kind, first: $first, offset: $offset) {
        totalCount
        nodes { id kind event date userName assessmentUuid text about setAsideReason held compared changes { field from to } }
      }
    }
  }
`);

type Entry = NonNullable<NonNullable<TimelineSectionQueryQuery["facility"]>["timeline"]>["nodes"][number];

const pageName = "timelinePage";
const kindIn = (url: URLSearchParams): TimelineKind | undefined =>
  timelineKinds.find((kind) => kind === url.get("kind"));
// A kind's name in GraphQL is its own in capitals.
const read = (facilityUuid: string, url: URLSearchParams) => ({
  facilityUuid,
  kind: kindIn(url)?.toUpperCase() as KindName | undefined,
  offset: offsetOf(url, pageName),
});
export const loader = screenLoader(query, ({ params, url }) => read(params["facilityUuid"] ?? "", url));

/** What the entry says besides what happened and when. */
function detailWords({ kind, text, setAsideReason, held, changes, compared, event }: Entry): string {
  const why = notCountedText(setAsideReason, held);
  if (why) return why;
  const line = changesLine({ changes, compared });
  const isSame = event === "visit" && changes.length === 0;
  const parts = kind === "TDB" ? [line, text] : kind === "VISIT" && isSame ? ["nothing changed"] : [text, line];
  return parts.filter(Boolean).join(" · ");
}

function TimelineEntry({ entry, facilityUuid }: { entry: Entry; facilityUuid: string }) {
  const { event, date, userName, assessmentUuid, about } = entry;
  const what = isWorklistKind(about ?? undefined)
    ? `${eventWords(event)}: ${worklistTitles[about as keyof typeof worklistTitles].title}`
    : eventWords(event);
  return (
    <li className="timeline-entry" data-aside={Boolean(notCountedText(entry.setAsideReason, entry.held))}>
      <span className="timeline-day">{formatDate(date)}</span>
      <div className="timeline-what">
        {assessmentUuid ? <ScopeLink to={routes.assessment(facilityUuid, assessmentUuid)}>{what}</ScopeLink> : what}
        <span className="timeline-detail"> {detailWords(entry)}</span>
        {userName ? <span className="note"> {userName}</span> : null}
      </div>
    </li>
  );
}

/** What happened at a facility, the newest first; one kind of it if the address asks for that. */
export function TimelineSection({ facilityUuid }: { facilityUuid: string }) {
  const [url] = useSearchParams();
  const { privileges } = useViewer();
  const change = useListAddress(pageName);
  const variables = read(facilityUuid, url);
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ facility }) => facility?.timeline?.nodes);
  const offered = timelineKinds.filter((kind) => {
    const needed = timelineNeeds[kind];
    return needed === null || may(privileges, needed);
  });
  return (
    <Card aria-labelledby="facility-timeline" className="timeline stack is-close" role="region">
      <div className="row is-spread">
        <h2 id="facility-timeline">Timeline</h2>
        <label className="screen-only">
          Show{" "}
          <HTMLSelect
            onChange={(event) => change({ kind: event.currentTarget.value })}
            options={[
              { value: "", label: "Everything" },
              ...offered.map((kind) => ({ value: kind, label: kindWords[kind] })),
            ]}
            value={kindIn(url) ?? ""}
          />
        </label>
      </div>
      <QueryState
        query={answer}
        what="timeline"
        offline={
          <NeedsNetworkNote heading="The timeline needs the network" onRetry={answer.reload}>
            It is not kept on this device.
          </NeedsNetworkNote>
        }
      >
        {({ facility }) => (
          <PagedList
            empty={kindIn(url) ? "Nothing of this kind is recorded." : "Nothing is recorded yet."}
            fetchFrom={fetchFrom}
            label="Pages of the timeline"
            list={facility?.timeline}
            pageName={pageName}
          >
            {(rows) => (
              <ol className="plain">
                {rows.map((entry) => (
                  <TimelineEntry entry={entry} facilityUuid={facilityUuid} key={entry.id} />
                ))}
              </ol>
            )}
          </PagedList>
        )}
      </QueryState>
    </Card>
  );
}
