import { Link } from "react-router-dom";
import { wordsOf } from "../../gateway/audit/events.rules.ts";
import { outcomes } from "../../gateway/audit/listFilter.rules.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { AuditTable_AuditEventFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { type Column, DataTable, type Sorting } from "../ui/list/DataTable.tsx";
import { formatDate } from "../ui/text/dates.ts";
import "./AuditTable.css";

const fragment = graphql(`
  fragment AuditTable_AuditEvent on AuditEvent {
    id
    date
    time
    action
    outcome
    actor
    userUuid
    userName
    tokenName
    address
    login
    facilityUuid
    facilityName
    subjectType
    subjectId
    subjectUserName
    details
  }
`);

type Event = AuditTable_AuditEventFragment;

function nobody({ login, address }: Event): string {
  if (login) return `“${login}”`;
  return address ? "Unknown" : "Command line";
}

function who(event: Event) {
  const { actor, userUuid, userName, tokenName } = event;
  if (actor === "site")
    return <>Site credential{event.facilityName ? ` of ${event.facilityName}` : ` ${userName ?? ""}`}</>;
  if (actor === "service")
    return (
      <>
        Service account {userName} by token {tokenName}
      </>
    );
  const name = userUuid && userName ? <Link to={routes.user(userUuid)}>{userName}</Link> : nobody(event);
  return tokenName ? (
    <>
      {name} by token {tokenName}
    </>
  ) : (
    name
  );
}

const machines = { ServiceAccount: "Service account", SiteCredential: "Site credential" };

function about({ facilityUuid, facilityName, subjectType, subjectId, subjectUserName }: Event) {
  if (facilityUuid) return <Link to={routes.facility(facilityUuid)}>{facilityName ?? facilityUuid}</Link>;
  if (subjectType === "ServiceAccount" || subjectType === "SiteCredential")
    return subjectUserName ?? machines[subjectType];
  if (subjectType === "User" && subjectId && subjectUserName)
    return <Link to={routes.user(subjectId)}>{subjectUserName}</Link>;
  const words = `${subjectType ?? ""} ${subjectId ?? ""}`.trim();
  if (subjectId && subjectType === "RegistryImport") return <Link to={routes.registryImport(subjectId)}>{words}</Link>;
  if (subjectId && subjectType === "Reconciliation") return <Link to={routes.reconciliation(subjectId)}>{words}</Link>;
  return words || "—";
}

const readable = (details: string) => JSON.stringify(JSON.parse(details), null, 2);

const columns: Column<Event>[] = [
  {
    id: "when",
    header: "When",
    sort: "when",
    rowHeader: true,
    cell: ({ date, time }) => `${formatDate(date)}, ${time}`,
  },
  { id: "who", header: "Who", sort: "who", phone: "line", cell: who },
  {
    id: "action",
    header: "What",
    sort: "what",
    phone: "line",
    cell: ({ action }) => <span title={action}>{wordsOf(action)}</span>,
  },
  {
    id: "outcome",
    header: "Outcome",
    sort: "outcome",
    phone: "end",
    cell: ({ outcome }) => <span className={outcome === "done" ? undefined : "bad"}>{outcomes[outcome]}</span>,
  },
  { id: "about", header: "About", sort: "about", cell: about },
  { id: "address", header: "From", sort: "address", cell: ({ address }) => address ?? "—" },
  {
    id: "details",
    header: "Details",
    cell: ({ details }) =>
      details ? (
        <details className="audit-details">
          <summary>Show</summary>
          <pre className="is-scrolling">{readable(details)}</pre>
        </details>
      ) : (
        "—"
      ),
  },
];

/** Events, the newest first unless sorted otherwise. */
export function AuditTable({
  caption,
  rows,
  sorting,
}: {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  sorting?: Sorting;
}) {
  return (
    <DataTable
      caption={caption}
      columns={columns}
      opensAs={({ action, date, time }) => `${wordsOf(action)}, ${formatDate(date)}, ${time}`}
      rowKey={({ id }) => id}
      rows={readFragment(fragment, rows)}
      sorting={sorting}
    />
  );
}
