import type { ReactNode } from "react";
import { Link, type LoaderFunction, type Params, useParams, useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { type WorklistKind, worklistKinds } from "../../db/situation/state.rules.ts";
import { BulkDoneNotice } from "../bulk/BulkDoneNotice.tsx";
import { type BulkAsking, useBulk } from "../bulk/bulkAsking.ts";
import { BulkSection } from "../bulk/BulkSection.tsx";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import { placesIn } from "../reference/placeFilter.ts";
import { files, type ModeScope, routes } from "../routes.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { useSelection } from "../bulk/useSelection.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted } from "../ui/text/counted.ts";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { useRowKeys } from "./useRowKeys.ts";
import { readList, readWorklist, viewIn, worklistFilters, type WorklistView } from "./worklistAddress.ts";
import { WorklistKindLinks } from "./WorklistKindLinks.tsx";
import { isKind, nameOf, worklistTitles } from "../action/worklistKinds.ts";
import { type Entry, type EntryAct, fragment, WorklistTable } from "./WorklistTable.tsx";
import { loader as startTasks, WorklistTasksSection } from "./WorklistTasksSection.tsx";
import { viewWords, WorklistKeys, WorklistViewControls } from "./WorklistViewControls.tsx";
import "./WorklistScreen.css";

const query = graphql(`
  query WorklistScreenQuery(
    $kind: WorklistKind!, $show: WorklistShow, $mine: Boolean, $orderBy: WorklistOrder
    $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int = 10, $offset: Int
    $inProvince: Boolean!, $namedProvince: Int = 0, $inDistrict: Boolean!, $namedDistrict: Int = 0, $ofPartner: Boolean!, $namedPartner: Int = 0
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartner }
    worklist(
      kind: $kind, show: $show, mine: $mine, orderBy: $orderBy, first: $first, offset: $offset
      provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId
    ) {
      totalCount
      nodes { ...WorklistTable_WorklistEntry }
    }
  }
`);

/** The tasks are a list beside the kinds. */
const tasks = "tasks";
/** Without a kind in the address, the first one. */
const kindIn = ({ kind = worklistKinds[0] }: Params) => kind;
const start = screenLoader(query, readWorklist);
export const loader: LoaderFunction = (args) => {
  const kind = kindIn(args.params);
  return kind === tasks ? startTasks(args) : isKind(kind) ? start(args) : null;
};

/** Why the list is empty. Sites that nobody ever visited are not on a list of this kind, but on one of their own. */
const emptyWords = (kind: WorklistKind, { show, isMine }: WorklistView, scope: ModeScope): ReactNode =>
  isMine ? (
    "No action here is yours or your partner's. Switch Mine off to see all."
  ) : show === "snoozed" ? (
    "Nothing is snoozed here."
  ) : kind === "silent" ? (
    "Nothing is to be done here."
  ) : (
    <>
      According to the visits, nothing is to be done here.{" "}
      <Link to={routes.facilityList({ assessed: "no", ...scope })}>Facilities never assessed</Link>
    </>
  );

const subtitleOf = (kind: WorklistKind) =>
  kind === "notVisited" ? "Sites that nobody visited for 180 days" : `SmartCare sites: ${worklistTitles[kind].text}`;

function Worklist({ kind, params }: { kind: WorklistKind; params: Params }) {
  const [url] = useSearchParams();
  const variables = readWorklist({ params, url });
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ worklist }) => readFragment(fragment, worklist?.nodes ?? []));
  const seesVisits = useMay("viewAssessments");
  const mayEdit = useMay("editFacility");
  const scope = placesIn(url);
  const view = viewIn(url);
  const { show, isMine, group } = view;
  const list = { kind: nameOf(kind), ...readList(url) };
  const selection = useSelection(JSON.stringify(list));
  const bulk = useBulk();
  const rows = readFragment(fragment, answer.data?.worklist?.nodes ?? []);
  const askAbout = (act: BulkAsking["act"], { facility, snoozed, snoozedUntil }: Entry) =>
    bulk.ask({
      ...{ act, kind: list.kind, what: facility.facilityName },
      sites: { facilityUuids: [facility.facilityUuid] },
      snoozedUntil: snoozed ? (snoozedUntil ?? undefined) : undefined,
    });
  const askAt = (act: EntryAct | "snooze") => (index: number) => {
    const entry = rows[index];
    if (entry) askAbout(act, entry);
  };
  const place = useRowKeys<HTMLDivElement>(mayEdit ? { onNote: askAt("note"), onSnooze: askAt("snooze") } : undefined);
  const csvOf = (facilityUuids?: string[]) =>
    files.worklistCsv(kind, { ...scope, show, mine: isMine ? "yes" : undefined }, facilityUuids);
  return (
    <QueryState hasStalePart query={answer} what="work list">
      {({ worklist, province, district, implementingPartner }) => {
        const isUnknown = province === null || district === null || implementingPartner === null;
        if (isUnknown)
          return (
            <NotFoundNotice
              what={district === null ? "district" : province === null ? "province" : "implementing partner"}
            />
          );
        const where = [
          district?.name,
          province && `${province.name} Province`,
          implementingPartner?.implementingPartner,
        ]
          .filter(Boolean)
          .join(", ");
        return (
          <Page
            title={`Work list: ${worklistTitles[kind].title}`}
            subtitle={subtitleOf(kind)}
            help={<TermButton term="worklist" name="Work list" />}
          >
            <PrintedNote answer={answer.data} words={[where, ...viewWords(view)]} />
            <div className="worklist-heads">
              <WorklistKindLinks
                present={kind}
                scope={scope}
                variables={readList(url)}
                view={view}
                withTasks={seesVisits}
              />
              <WorklistViewControls hasMine={seesVisits} kind={kind} scope={scope} view={view}>
                <ExportButton href={csvOf()} label="of this work list" />
              </WorklistViewControls>
            </div>
            {bulk.done ? (
              <BulkDoneNotice
                act={bulk.done}
                key={bulk.done.bulkActUuid}
                onEnd={() => bulk.setDone(undefined)}
                onUndone={answer.reload}
              />
            ) : null}
            <StalePart isStale={answer.stale}>
              <div className="is-counted" ref={place}>
                <PagedList
                  empty={emptyWords(kind, view, scope)}
                  label="Pages of the work list"
                  fetchFrom={fetchFrom}
                  list={worklist && { totalCount: worklist.totalCount, nodes: rows }}
                >
                  {(shown, total) => (
                    <WorklistTable
                      ask={mayEdit ? askAbout : undefined}
                      caption={counted(total, "facility", "facilities")}
                      group={group}
                      kind={kind}
                      rows={shown}
                      seesVisits={seesVisits}
                      selection={{
                        isSelected: ({ facility }) => selection.isSelected(facility.facilityUuid),
                        nameOf: ({ facility }) => facility.facilityName,
                        onSelect: (entries, isSelected) =>
                          selection.select(
                            entries.map(({ facility }) => ({
                              key: facility.facilityUuid,
                              name: facility.facilityName,
                            })),
                            isSelected,
                          ),
                      }}
                    />
                  )}
                </PagedList>
              </div>
            </StalePart>
            <WorklistKeys hasActs={mayEdit} />
            <BulkSection
              all={{ worklist: list }}
              bulk={bulk}
              csvOf={csvOf}
              kind={list.kind}
              onDone={answer.reload}
              selection={selection}
              total={worklist?.totalCount ?? 0}
            />
          </Page>
        );
      }}
    </QueryState>
  );
}

/** The tasks that people wrote, below the same head. */
function Tasks() {
  const [url] = useSearchParams();
  const scope = placesIn(url);
  const view = viewIn(url);
  return (
    <Page title="Work list: Tasks" subtitle="Open actions that people agreed at visits or by hand">
      <PrintedNote answer={undefined} words={view.isMine ? ["Mine"] : []} />
      <div className="worklist-heads">
        <WorklistKindLinks present={tasks} scope={scope} variables={readList(url)} view={view} withTasks />
        <WorklistViewControls hasMine isOfTasks kind={tasks} scope={scope} view={view} />
      </div>
      <WorklistTasksSection />
      <WorklistKeys />
    </Page>
  );
}

/** One kind of the work list in a part of the country: the sites, whom to call, who does what until when. */
export function WorklistScreen() {
  const params = useParams();
  const seesActions = useMay("viewAssessments");
  const kind = kindIn(params);
  const isTasks = kind === tasks && seesActions;
  if (!isTasks && !isKind(kind)) return <NotFoundNotice what="work list" />;
  return (
    <KnownFilters filters={worklistFilters}>
      {isTasks ? <Tasks /> : <Worklist key={kind} kind={kind as WorklistKind} params={params} />}
    </KnownFilters>
  );
}
