import { Card, HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";
import { useSearchParams } from "react-router-dom";
import { may } from "../../../gateway/access/access.rules.ts";
import { type TimelineKind, timelineKinds, timelineNeeds } from "../../../gateway/facility/timeline.rules.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import { graphql } from "../../gql/gql.ts";
import type { TimelineKind as KindName, TimelineSection_QueryFragment } from "../../gql/graphql.ts";
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
import { rowsFrom, screenLoader, type ScreenQuery, useListWithin } from "../../urql.ts";
import { changesLine, eventWords, kindWords } from "./timelineWords.ts";
import "./TimelineSection.css";

const fragment = graphql(`
  fragment TimelineSection_Query on Query {
    facility(facilityUuid: $facilityUuid) {
      id
      timeline(kind: $kind, first: $first, offset: $offset) {
        totalCount
        nodes { id kind event date userName assessmentUuid text about setAsideReason held compared changes { field from to } }
      }
    }
  }
`);

const query = graphql(`
  query TimelineSectionQuery($facilityUuid: String!, $kind: TimelineKind, $first: Int = 10, $offset: Int) {
    ...TimelineSection_Query
  }
`);

type Data = FragmentType<typeof fragment>;
type Entry = NonNullable<NonNullable<TimelineSection_QueryFragment["facility"]>["timeline"]>["nodes"][number];

const pageName = "timelinePage";
const kindIn = (url: URLSearchParams): TimelineKind | undefined =>
  timelineKinds.find((kind) => kind === url.get("kind"));
// A kind's name in GraphQL is its own in capitals.
const kindNameIn = (url: URLSearchParams) => kindIn(url)?.toUpperCase() as KindName | undefined;
/** For the section's own query. The first page of all kinds comes with the screen's answer. */
const read = (facilityUuid: string, url: URLSearchParams) => {
  const [kind, offset] = [kindNameIn(url), offsetOf(url, pageName)];
  return kind || offset > 0 ? { facilityUuid, kind, offset } : undefined;
};
const listOf = (data: Data) => readFragment(fragment, data).facility?.timeline;
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

/**
 * What happened at a facility, the newest first; one kind of it if the address asks for that. `first`: the screen's
 * answer, which has the first page of all kinds.
 */
export function TimelineSection({ first, facilityUuid }: { first: ScreenQuery<Data>; facilityUuid: string }) {
  const [url] = useSearchParams();
  const id = useId();
  const { privileges } = useViewer();
  const change = useListAddress(pageName);
  const answer = useListWithin(first, query, read(facilityUuid, url), listOf);
  const fetchFrom = rowsFrom(query, { facilityUuid, kind: kindNameIn(url) }, (data) => listOf(data)?.nodes);
  const offered = timelineKinds.filter((kind) => {
    const needed = timelineNeeds[kind];
    return needed === null || may(privileges, needed);
  });
  return (
    <Card aria-labelledby="facility-timeline" className="timeline stack is-close" role="region">
      <div className="row is-spread">
        <h2 id="facility-timeline">Timeline</h2>
        <span className="list-choice row screen-only">
          <label htmlFor={id}>Show</label>
          <HTMLSelect
            id={id}
            onChange={(event) => change({ kind: event.currentTarget.value })}
            options={[
              { value: "", label: "Everything" },
              ...offered.map((kind) => ({ value: kind, label: kindWords[kind] })),
            ]}
            value={kindIn(url) ?? ""}
          />
        </span>
      </div>
      <QueryState
        query={answer}
        what="timeline"
        offline={
          <NeedsNetworkNote heading="The timeline needs the network" onRetry={answer.reload}>
            This device does not have it.
          </NeedsNetworkNote>
        }
      >
        {(list) => (
          <PagedList
            empty={kindIn(url) ? "Nothing of this kind is recorded." : "Nothing is recorded yet."}
            fetchFrom={fetchFrom}
            label="Pages of the timeline"
            list={list}
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
