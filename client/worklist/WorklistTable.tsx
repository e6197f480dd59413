import { Button, Size } from "@blueprintjs/core";
import { MoreIcon } from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import type { WorklistKind } from "../../db/situation/state.rules.ts";
import { headings } from "../../gateway/facility/siteColumns.rules.ts";
import { dueWords, responsibleWords } from "../action/actionWords.ts";
import { graphql } from "../gql/gql.ts";
import type { WorklistTable_WorklistEntryFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable, type RowSelection } from "../ui/list/DataTable.tsx";
import { ContactWords } from "../ui/text/ContactWords.tsx";
import { PopoverButton } from "../ui/form/PopoverButton.tsx";
import { useIsWide } from "../ui/form/useIsWide.ts";
import { useIsPrinting } from "../ui/page/useIsPrinting.ts";
import { counted } from "../ui/text/counted.ts";
import { formatDate } from "../ui/text/dates.ts";
import type { Group } from "./worklistAddress.ts";
import { worklistTitles } from "../action/worklistKinds.ts";

export const fragment = graphql(`
  fragment WorklistTable_WorklistEntry on WorklistEntry {
    facility { id facilityUuid facilityName district { id name } province { id name } implementingPartner { id implementingPartner } }
    sinceDate days libraryVersion contactName contactRole contactPhone comment commentedDate commentedBy snoozedUntil snoozed
    actions { id text responsible implementingPartner { id implementingPartner } dueDay overdueDays }
  }
`);
export type Entry = WorklistTable_WorklistEntryFragment;

/** What can be asked about an entry. */
export type EntryAct = "assign" | "note";
type Ask = (act: EntryAct, entry: Entry) => void;

const place = ({ facility }: Entry) => `${facility.district.name}, ${facility.province.name}`;
const partner = ({ facility }: Entry) => facility.implementingPartner?.implementingPartner;
const groupNames: Record<Group, (entry: Entry) => string> = {
  partner: (entry) => partner(entry) ?? "No partner",
  district: place,
};

/** What was noted last, by whom, and until when the entry is hidden. */
function NoteWords({ entry: { comment, commentedBy, commentedDate, snoozed, snoozedUntil } }: { entry: Entry }) {
  if (comment == null) return "–";
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

/** Who is to do the action that is due first, and what; and how many more actions there are. */
function ResponsibleWords({ entry: { actions } }: { entry: Entry }) {
  const [first, ...more] = actions ?? [];
  if (!first) return "–";
  return (
    <>
      {responsibleWords(first)}
      <span className="note is-line">
        {first.text}
        {more.length > 0 ? `, and ${counted(more.length, "more action", "more actions")}` : ""}
      </span>
    </>
  );
}

function DueWords({ entry: { actions } }: { entry: Entry }) {
  const [first] = actions ?? [];
  if (!first) return "–";
  return (
    <>
      <span className="worklist-day">{formatDate(first.dueDay)}</span>
      {first.overdueDays ? (
        <span className="note warn is-line">overdue by {counted(first.overdueDays, "day")}</span>
      ) : null}
    </>
  );
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
function EntryMore({ entry, ask }: { entry: Entry; ask: Ask | undefined }) {
  const { contactName: name, contactRole: role, contactPhone: phone } = entry;
  const acts = [
    { act: "assign", text: "Agree action" },
    { act: "note", text: "Note" },
  ] as const;
  return (
    <PopoverButton
      aria-label={`More about ${entry.facility.facilityName}`}
      icon={<MoreIcon />}
      side="end"
      variant="minimal"
    >
      {(close) => (
        <div className="worklist-more stack is-close">
          <div>
            {name || role ? <ContactWords name={name} role={role} /> : phone ? null : "No contact recorded"}
            {phone ? (
              <div>
                <ContactWords phone={phone} />
              </div>
            ) : null}
          </div>
          {(entry.actions ?? []).map((action) => (
            <div key={action.id}>
              {action.text}{" "}
              <span className={action.overdueDays ? "note warn is-line" : "note is-line"}>
                {responsibleWords(action)}, due {dueWords(action)}
              </span>
            </div>
          ))}
          {entry.comment == null ? null : <NoteWords entry={entry} />}
          {(ask ? acts : []).map(({ act, text }) => (
            <Button
              key={act}
              onClick={() => {
                close();
                ask?.(act, entry);
              }}
              text={text}
            />
          ))}
        </div>
      )}
    </PopoverButton>
  );
}

const closed = new Set(["contact", "responsible", "due", "note", "more", "acts"]);
/** In a window that has no room for these they are behind the button of the row. */
const folded = new Set(["contact", "note", "acts"]);
const wideFrom = 1280;

function columnsOf(
  { kind, group, seesVisits, ask }: Pick<WorklistTableProps, "kind" | "group" | "seesVisits" | "ask">,
  isWide: boolean,
): Column<Entry>[] {
  const columns: Column<Entry>[] = [
    {
      id: "facility",
      header: headings.facilityName,
      rowHeader: true,
      cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
    },
    ...(group === "district" ? [] : [{ id: "place", header: headings.place, phone: "line" as const, cell: place }]),
    ...(group === "partner"
      ? []
      : [{ id: "partner", header: headings.implementingPartner, cell: (entry: Entry) => partner(entry) ?? "–" }]),
    {
      id: "age",
      header: "Age",
      cell: ({ days, sinceDate }) => (
        <>
          <span className="worklist-day">{days == null ? "never sent" : counted(days, "day")}</span>
          {sinceDate == null ? null : (
            <span className="note is-line">
              {worklistTitles[kind].since.toLowerCase()} {formatDate(sinceDate)}
            </span>
          )}
        </>
      ),
    },
    { id: "ageLine", header: "Age", isPhoneOnly: true, phone: "line", cell: ageWords },
    ...(kind === "oldVersion"
      ? [{ id: "version", header: headings.libraryVersion, cell: ({ libraryVersion }: Entry) => libraryVersion ?? "–" }]
      : []),
    {
      id: "contact",
      header: headings.contactName,
      cell: (entry) => <ContactWords name={entry.contactName} phone={entry.contactPhone} role={entry.contactRole} />,
    },
    { id: "responsible", header: "Responsible", cell: (entry) => <ResponsibleWords entry={entry} /> },
    { id: "due", header: "Due", cell: (entry) => <DueWords entry={entry} /> },
    { id: "note", header: "Last note", cell: (entry) => <NoteWords entry={entry} /> },
    ...(ask
      ? [
          {
            id: "acts",
            header: "Acts",
            headerHidden: true,
            cell: (entry: Entry) => (
              <div className="worklist-acts screen-only">
                <Button
                  aria-label={`Assign an action at ${entry.facility.facilityName}`}
                  onClick={() => ask("assign", entry)}
                  size={Size.SMALL}
                  text="Assign"
                />
                <Button
                  aria-label={`Note or snooze ${entry.facility.facilityName}`}
                  onClick={() => ask("note", entry)}
                  size={Size.SMALL}
                  text="Note"
                />
              </div>
            ),
          },
        ]
      : []),
    {
      id: "more",
      header: "More",
      headerHidden: true,
      isPhoneOnly: isWide,
      phone: "end",
      cell: (entry) => <EntryMore ask={ask} entry={entry} />,
    },
  ];
  return columns.filter(({ id }) => (seesVisits || !closed.has(id)) && (isWide || !folded.has(id)));
}

type WorklistTableProps = {
  caption: string;
  kind: WorklistKind;
  group: Group | undefined;
  rows: readonly Entry[];
  /** Whether the person may see assessments: contacts, actions and notes. */
  seesVisits: boolean;
  selection: RowSelection<Entry>;
  ask?: Ask | undefined;
};

/** The entries of a kind, below the names of their partners or districts. On a phone each is two lines. */
export function WorklistTable({ caption, rows, selection, ...props }: WorklistTableProps) {
  const { group } = props;
  const isWide = useIsWide(wideFrom);
  const isPrinting = useIsPrinting();
  return (
    <DataTable
      caption={caption}
      columns={columnsOf(props, isWide || isPrinting)}
      groupOf={group && groupNames[group]}
      rowKey={({ facility }) => facility.id}
      rows={rows}
      selection={selection}
    />
  );
}
