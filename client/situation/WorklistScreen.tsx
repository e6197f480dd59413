import { Button, Classes, PopoverNext, Size } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";
import { type ReactNode, useRef, useState } from "react";
import { Link, type LoaderFunction, type Params, useParams, useSearchParams } from "react-router-dom";
import { type WorklistKind, worklistKinds, worklistNames } from "../../db/situation/state.rules.ts";
import { may } from "../../gateway/access/access.rules.ts";
import { ActionDialog } from "../action/ActionDialog.tsx";
import { dueWords, responsibleWords } from "../action/actionWords.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistScreenQueryQuery } from "../gql/graphql.ts";
import { scopeIn } from "../reference/placeFilter.ts";
import { files, type ModeScope, routes } from "../routes.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useViewer } from "../shell/session/viewer.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { StalePart } from "../ui/notice/StalePart.tsx";
import { Page } from "../ui/page/Page.tsx";
import { useLast } from "../ui/page/ModalDialog.tsx";
import { rowsFrom, screenLoader, useScreenQuery } from "../urql.ts";
import { readWorklist, showOf } from "./worklistAddress.ts";
import { WorklistNoteDialog } from "./WorklistNoteDialog.tsx";
import { isKind, nameOf, worklistTitles } from "./worklistKinds.ts";
import "./WorklistScreen.css";

const query = graphql(`
  query WorklistScreenQuery(
    $kind: WorklistKind!, $show: WorklistShow, $provinceId: Int, $districtId: Int, $implementingPartnerId: Int, $first: Int = 10, $offset: Int
    $inProvince: Boolean!, $namedProvince: Int = 0, $inDistrict: Boolean!, $namedDistrict: Int = 0, $ofPartner: Boolean!, $namedPartner: Int = 0
  ) {
    province(provinceId: $namedProvince) @include(if: $inProvince) { id name }
    district(districtId: $namedDistrict) @include(if: $inDistrict) { id name }
    implementingPartner(implementingPartnerId: $namedPartner) @include(if: $ofPartner) { id implementingPartner }
    worklist(kind: $kind, show: $show, provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId, first: $first, offset: $offset) {
      totalCount
      nodes {
        facility { id facilityUuid facilityName district { id name } province { id name } implementingPartner { id implementingPartner } }
        sinceDate days lastWorkedDate libraryVersion contactName contactRole contactPhone comment commentedDate commentedBy snoozedUntil snoozed
        actions { id text responsible implementingPartner { id implementingPartner } dueDay overdueDays }
      }
    }
  }
`);

type Entry = NonNullable<WorklistScreenQueryQuery["worklist"]>["nodes"][number];
/** Without a kind in the address, the first one. */
const kindIn = ({ kind = worklistKinds[0] }: Params) => kind;
const start = screenLoader(query, readWorklist);
export const loader: LoaderFunction = (args) => (isKind(kindIn(args.params)) ? start(args) : null);

const showWords = { open: "Open", snoozed: "Snoozed", all: "All" };
const place = ({ facility }: Entry) => `${facility.district.name}, ${facility.province.name}`;

/** Why the list is empty. Sites that nobody ever visited are not on a list of this kind, but on one of their own. */
const emptyWords = (kind: WorklistKind, show: ReturnType<typeof showOf>, scope: ModeScope): ReactNode =>
  show === "snoozed" ? (
    "Nothing is snoozed here."
  ) : kind === "silent" ? (
    "Nothing is to be done here."
  ) : (
    <>
      According to the visits, nothing is to be done here.{" "}
      <Link to={routes.facilityList({ assessed: "no", ...scope })}>Facilities never assessed</Link>
    </>
  );

/** Whom to call. */
function ContactWords({ entry: { contactName, contactRole, contactPhone } }: { entry: Entry }) {
  const name = [contactName, contactRole].filter(Boolean).join(", ");
  if (!contactPhone) return name || "–";
  return (
    <>
      {name ? `${name}, ` : null}
      <a href={`tel:${contactPhone}`}>{contactPhone}</a>
    </>
  );
}

/** What was noted last, by whom, and until when the entry is hidden. */
function NoteWords({ entry: { comment, commentedBy, commentedDate, snoozed, snoozedUntil } }: { entry: Entry }) {
  if (comment == null) return null;
  return (
    <div>
      {comment}{" "}
      <span className="note">
        {commentedBy}, {formatDate(commentedDate)}
      </span>
      {snoozed ? <span className="note warn is-line">snoozed until {formatDate(snoozedUntil)}</span> : null}
    </div>
  );
}

/** The open actions about an entry. */
function ActionWords({ entry: { actions } }: { entry: Entry }) {
  return (actions ?? []).map((action) => (
    <div key={action.id}>
      {action.text}{" "}
      <span className={action.overdueDays ? "note warn is-line" : "note is-line"}>
        {responsibleWords(action)}, due {dueWords(action)}
      </span>
    </div>
  ));
}

/** How old an entry is and what was done about it, for the second line on a phone. */
const ageWords = ({ days, actions, comment, snoozed }: Entry) =>
  [
    days == null ? "never" : counted(days, "day"),
    actions?.length ? counted(actions.length, "action") : "",
    snoozed ? "snoozed" : comment == null ? "" : "noted",
  ]
    .filter(Boolean)
    .join(" · ");

/** What a phone has no room for in the list: whom to call, actions and note, and what can be done about the entry. */
function EntryMore({ entry, onNote, onAgree }: { entry: Entry } & Asking) {
  const opener = useRef<HTMLButtonElement>(null);
  // The dialog returns the focus to where it was when it opened, and these buttons are gone then.
  const ask = (act: (entry: Entry) => void) => () => {
    opener.current?.focus();
    act(entry);
  };
  return (
    <PopoverNext
      animation="minimal"
      arrow={false}
      content={
        <div className="worklist-more stack is-close">
          <div>
            <ContactWords entry={entry} />
          </div>
          <ActionWords entry={entry} />
          <NoteWords entry={entry} />
          {onAgree ? <Button className={Classes.POPOVER_DISMISS} onClick={ask(onAgree)} text="Agree action" /> : null}
          {onNote ? <Button className={Classes.POPOVER_DISMISS} onClick={ask(onNote)} text="Note" /> : null}
        </div>
      }
      placement="bottom-end"
    >
      <Button
        aria-label={`More about ${entry.facility.facilityName}`}
        icon={<MoreIcon />}
        ref={opener}
        variant="minimal"
      />
    </PopoverNext>
  );
}

type Asking = { onNote?: (entry: Entry) => void; onAgree?: (entry: Entry) => void };
/**
 * The columns of an entry, with its contact, actions and notes for people who may see assessments (`ofVisits`). With
 * `onNote` and `onAgree`, there are buttons to write a note and to agree an action.
 */
function columnsOf(kind: WorklistKind, ofVisits: boolean, asking: Asking): Column<Entry>[] {
  const { onNote, onAgree } = asking;
  const columns: Column<Entry>[] = [
    {
      id: "facility",
      header: "Facility",
      rowHeader: true,
      cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
    },
    { id: "place", header: "District", phone: "line", cell: place },
    { id: "partner", header: "IP", cell: ({ facility }) => facility.implementingPartner?.implementingPartner ?? "–" },
    { id: "contact", header: "Contact", cell: (entry) => <ContactWords entry={entry} /> },
    {
      id: "since",
      header: worklistTitles[kind].since,
      oneLine: true,
      cell: ({ sinceDate }) => (sinceDate == null ? "never sent" : formatDate(sinceDate)),
    },
    { id: "days", header: "Days", numeric: true, cell: ({ days }) => (days == null ? "–" : formatNumber(days)) },
    { id: "age", header: "Age", isPhoneOnly: true, phone: "line", cell: ageWords },
    ...(kind === "oldVersion"
      ? [{ id: "version", header: "Version", cell: ({ libraryVersion }: Entry) => libraryVersion ?? "–" }]
      : []),
    {
      id: "more",
      header: "More",
      headerHidden: true,
      isPhoneOnly: true,
      phone: "end",
      cell: (entry) => <EntryMore entry={entry} {...asking} />,
    },
    {
      id: "actions",
      header: "Actions",
      cell: (entry) => (
        <div className="worklist-note stack is-close">
          {entry.actions?.length || onAgree ? <ActionWords entry={entry} /> : "–"}
          {onAgree ? (
            <Button
              aria-label={`Agree action at ${entry.facility.facilityName}`}
              onClick={() => onAgree(entry)}
              size={Size.SMALL}
              text="Agree action"
            />
          ) : null}
        </div>
      ),
    },
    {
      id: "note",
      header: "Note",
      cell: (entry) => (
        <div className="worklist-note stack is-close">
          {entry.comment == null && !onNote ? "–" : <NoteWords entry={entry} />}
          {onNote ? (
            <Button
              aria-label={`Note or snooze ${entry.facility.facilityName}`}
              onClick={() => onNote(entry)}
              size={Size.SMALL}
              text="Note"
            />
          ) : null}
        </div>
      ),
    },
  ];
  const closed = new Set(["contact", "more", "actions", "note"]);
  return columns.filter(({ id }) => ofVisits || !closed.has(id));
}

function Worklist({ kind, params }: { kind: WorklistKind; params: Params }) {
  const [url] = useSearchParams();
  const { privileges } = useViewer();
  const variables = readWorklist({ params, url });
  const answer = useScreenQuery(query, variables);
  const fetchFrom = rowsFrom(query, variables, ({ worklist }) => worklist?.nodes);
  const [asked, setAsked] = useState<Entry>();
  const noted = useLast(asked);
  const [agreeing, setAgreeing] = useState<Entry>();
  const agreed = useLast(agreeing);
  const { title, text } = worklistTitles[kind];
  const show = showOf(url);
  const scope = scopeIn(url);
  const columns = columnsOf(kind, may(privileges, "viewAssessments"), {
    ...(may(privileges, "editFacility") ? { onNote: setAsked } : {}),
    ...(may(privileges, "editAssessments") ? { onAgree: setAgreeing } : {}),
  });
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
            title={`Work list: ${title}${where ? ` - ${where}` : ""}`}
            subtitle={kind === "notVisited" ? "Sites that nobody visited for 180 days" : `SmartCare sites: ${text}`}
            actions={<ExportButton href={files.worklistCsv(kind, { ...scope, show })} label="of this work list" />}
          >
            <PrintedNote answer={answer.data} words={[showWords[show]]} />
            <nav aria-label="Kinds of work" className="worklist-shows row screen-only">
              {worklistKinds.map((one) => (
                <Link aria-current={one === kind ? "page" : undefined} key={one} to={routes.worklist(one, scope)}>
                  {worklistNames[one]}
                </Link>
              ))}
            </nav>
            <nav aria-label="Which entries" className="worklist-shows row screen-only">
              {(["open", "snoozed", "all"] as const).map((one) => (
                <Link
                  aria-current={one === show ? "page" : undefined}
                  key={one}
                  to={routes.worklist(kind, { ...scope, show: one === "open" ? undefined : one })}
                >
                  {showWords[one]}
                </Link>
              ))}
            </nav>
            <StalePart isStale={answer.stale}>
              <PagedList
                empty={emptyWords(kind, show, scope)}
                label="Pages of the work list"
                fetchFrom={fetchFrom}
                list={worklist}
              >
                {(rows, total) => (
                  <DataTable
                    caption={counted(total, "facility", "facilities")}
                    columns={columns}
                    rowKey={({ facility }) => facility.id}
                    rows={rows}
                  />
                )}
              </PagedList>
            </StalePart>
            {noted ? (
              <WorklistNoteDialog
                facilityName={noted.facility.facilityName}
                facilityUuid={noted.facility.facilityUuid}
                isOpen={asked !== undefined}
                key={noted.facility.facilityUuid}
                kind={nameOf(kind)}
                onClose={() => setAsked(undefined)}
                onSaved={answer.reload}
                snoozedUntil={noted.snoozed ? (noted.snoozedUntil ?? undefined) : undefined}
              />
            ) : null}
            {agreed ? (
              <ActionDialog
                facilityName={agreed.facility.facilityName}
                facilityUuid={agreed.facility.facilityUuid}
                isOpen={agreeing !== undefined}
                key={`action ${agreed.facility.facilityUuid}`}
                kind={nameOf(kind)}
                onClose={() => setAgreeing(undefined)}
                onSaved={answer.reload}
              />
            ) : null}
          </Page>
        );
      }}
    </QueryState>
  );
}

/** One kind of the work list in a part of the country: the sites, whom to call, since when, and what people noted. */
export function WorklistScreen() {
  const params = useParams();
  const kind = kindIn(params);
  return isKind(kind) ? <Worklist key={kind} kind={kind} params={params} /> : <NotFoundNotice what="work list" />;
}
