import { AnchorButton, Button, Size } from "@blueprintjs/core";
import { useState } from "react";
import { Link, useParams, useSearchParams } from "react-router-dom";
import type { LoaderFunction, Params } from "react-router-dom";
import { may } from "../../gateway/access/access.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistScreenQueryQuery } from "../gql/graphql.ts";
import { files, routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart, unreachableMessage } from "../ui/network/fetchedPart.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { showError } from "../shell/toast/toaster.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { readWorklist, scopeOf, showOf } from "./worklistAddress.ts";
import { isKind, nameOf, worklistTitles } from "./worklistKinds.ts";
import "./WorklistScreen.css";

const query = graphql(`
  query WorklistScreenQuery(
    $kind: WorklistKind!, $show: WorklistShow, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $offset: Int
    $inProvince: Boolean!, $namedProvince: Int = 0, $inDistrict: Boolean!, $namedDistrict: Int = 0, $ofPartner: Boolean!, $namedPartner: Int = 0
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartner }
    worklist(kind: $kind, show: $show, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId, first: 10, offset: $offset) {
      totalCount
      nodes {
        facility { id facilityUuid facilityName district { id name } province { id name } implementingPartner { id implementingPartner } }
        sinceDate days lastWorkedDate libraryVersion contactName contactRole contactPhone comment commentedDate commentedBy snoozedUntil snoozed
      }
    }
  }
`);

type Entry = NonNullable<WorklistScreenQueryQuery["worklist"]>["nodes"][number];
const start = screenLoader(query, readWorklist);
const guards = { viewTdbs: guarded("viewTdbs", start), viewAssessments: guarded("viewAssessments", start) };
export const loader: LoaderFunction = (args) => {
  if (!isKind(args.params.kind)) return null;
  return guards[args.params.kind === "silent" ? "viewTdbs" : "viewAssessments"](args);
};

const noting = fetchedPart(() => import("./WorklistNoteDialog.tsx"));
const place = ({ facility }: Entry) => `${facility.district.name}, ${facility.province.name}`;
const contact = ({ contactName, contactRole, contactPhone }: Entry) => [contactName, contactRole, contactPhone].filter(Boolean).join(", ");

/** What the list says of an entry; with `onNote` whoever may write a note gets a button for that. */
function columnsOf(kind: keyof typeof worklistTitles, onNote: ((entry: Entry) => void) | undefined): Column<Entry>[] {
  return [
    {
      id: "facility",
      header: "Facility",
      rowHeader: true,
      cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
    },
    { id: "place", header: "District", cell: place },
    { id: "partner", header: "IP", cell: ({ facility }) => facility.implementingPartner?.implementingPartner ?? "–" },
    { id: "contact", header: "Contact", cell: (entry) => contact(entry) || "–" },
    { id: "since", header: worklistTitles[kind].since, oneLine: true, cell: ({ sinceDate }) => (sinceDate == null ? "never sent" : formatDate(sinceDate)) },
    { id: "days", header: "Days", numeric: true, cell: ({ days }) => days ?? "–" },
    ...(kind === "oldVersion" ? [{ id: "version", header: "Version", cell: ({ libraryVersion }: Entry) => libraryVersion ?? "–" }] : []),
    {
      id: "note",
      header: "Note",
      cell: ({ comment, commentedBy, commentedDate, snoozed, snoozedUntil }) =>
        comment == null ? (
          "–"
        ) : (
          <>
            {comment} <span className="worklist-author">{commentedBy}, {formatDate(commentedDate)}</span>
            {snoozed ? <span className="worklist-snoozed">snoozed until {formatDate(snoozedUntil)}</span> : null}
          </>
        ),
    },
    ...(onNote
      ? [
          {
            id: "act",
            header: "Change",
            headerHidden: true,
            cell: (entry: Entry) => (
              <Button
                aria-label={`Note or snooze ${entry.facility.facilityName}`}
                onClick={() => onNote(entry)}
                size={Size.SMALL}
                text="Note"
              />
            ),
          },
        ]
      : []),
  ];
}

function Worklist({ kind, params }: { kind: keyof typeof worklistTitles; params: Params }) {
  const [url] = useSearchParams();
  const { privileges } = useViewer();
  const { stale, reload, ...answer } = useScreenQuery(query, readWorklist({ params, url }));
  const [noted, setNoted] = useState<Entry>();
  const [isOpen, setOpen] = useState(false);
  const { title, text } = worklistTitles[kind];
  const show = showOf(url);
  const scope = scopeOf(url);
  const note = (entry: Entry) => {
    setNoted(entry);
    setOpen(true);
  };
  const columns = columnsOf(kind, may(privileges, "editFacility") ? note : undefined);
  return (
    <QueryState query={answer} what="work list">
      {({ worklist, province, district, implementingPartner }) => {
        const isUnknown = (province === null || district === null || implementingPartner === null);
        if (isUnknown) return <NotFoundNotice what={district === null ? "district" : province === null ? "province" : "implementing partner"} />;
        const { totalCount, nodes } = worklist ?? { totalCount: 0, nodes: [] };
        const where = [district?.name, province && `${province.name} Province`, implementingPartner?.implementingPartner].filter(Boolean).join(", ");
        return (
          <Page
            title={`Work list: ${title}${where ? ` - ${where}` : ""}`}
            subtitle={`SmartCare sites: ${text}`}
            actions={<AnchorButton download href={files.worklistCsv(kind, { ...scope, show })} text="Export CSV" />}
          >
            <nav aria-label="Which entries" className="worklist-shows">
              {(["open", "snoozed", "all"] as const).map((one) => (
                <Link aria-current={one === show ? "page" : undefined} key={one} to={routes.worklist(kind, { ...scope, show: one === "open" ? undefined : one })}>
                  {{ open: "Open", snoozed: "Snoozed", all: "All" }[one]}
                </Link>
              ))}
            </nav>
            <div className={stale ? "query-stale" : undefined} aria-busy={stale}>
              <PagedList empty={show === "snoozed" ? "Nothing is snoozed here." : "Nothing is to be done here."} label="Pages of the work list" shown={nodes.length} total={totalCount}>
                <DataTable caption={counted(totalCount, "facility", "facilities")} columns={columns} rowKey={({ facility }) => facility.id} rows={nodes} />
              </PagedList>
            </div>
            <FetchedDialog
              isOpen={isOpen}
              onFailure={() => {
                setOpen(false);
                showError(unreachableMessage);
              }}
              part={noting}
            >
              {({ WorklistNoteDialog }) =>
                noted ? (
                  <WorklistNoteDialog
                    facilityName={noted.facility.facilityName}
                    facilityUuid={noted.facility.facilityUuid}
                    isOpen={isOpen}
                    key={noted.facility.facilityUuid}
                    kind={nameOf(kind)}
                    onClose={() => setOpen(false)}
                    onSaved={reload}
                  />
                ) : null
              }
            </FetchedDialog>
          </Page>
        );
      }}
    </QueryState>
  );
}

/** One kind of the work list in a part of the country: the sites, whom to call, since when, and what people noted. */
export function WorklistScreen() {
  const params = useParams();
  return isKind(params.kind) ? <Worklist key={params.kind} kind={params.kind} params={params} /> : <NotFoundNotice what="work list" />;
}
