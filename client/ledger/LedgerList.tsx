import { AddIcon, ArrowDownIcon, ArrowUpIcon } from "@blueprintjs/icons";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import type { LedgerList_LedgerEntryFragment } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { changeWords } from "../../gateway/ledger/ledgerWords.rules.ts";
import { kindOf } from "./ledgerWords.ts";
import "./LedgerList.css";

const fragment = graphql(`
  fragment LedgerList_LedgerEntry on LedgerEntry {
    id day kind event from to direction who comment source assessmentUuid
    facility {
      id facilityUuid facilityName
      district { id districtId name } province { id name } implementingPartner { id implementingPartnerId implementingPartner }
    }
  }
`);
type Entry = LedgerList_LedgerEntryFragment;

const marks = {
  BETTER: <ArrowUpIcon className="good" size={14} title="Better" />,
  WORSE: <ArrowDownIcon className="bad" size={14} title="Worse" />,
  NEW: <AddIcon className="soft" size={14} title="New" />,
  NEITHER: null,
};

function ChangeLine({ entry }: { entry: Entry }) {
  const { facility, assessmentUuid, who, comment } = entry;
  const words = changeWords({ ...entry, kind: kindOf(entry.kind) });
  return (
    <li className="ledger-change">
      <span className="ledger-mark">{marks[entry.direction]}</span>
      <div>
        {assessmentUuid ? (
          <ScopeLink to={routes.assessment(facility!.facilityUuid, assessmentUuid)}>{words}</ScopeLink>
        ) : (
          <span className="ledger-words">{words}</span>
        )}{" "}
        <span className="note">{[formatDate(entry.day), who, comment].filter(Boolean).join(" · ")}</span>
      </div>
    </li>
  );
}

/** Changes that follow each other at one site. */
function bySite(entries: readonly Entry[]): Entry[][] {
  const sites: Entry[][] = [];
  for (const entry of entries) {
    const last = sites.at(-1);
    if (last?.[0]?.facility?.id === entry.facility?.id) last?.push(entry);
    else sites.push([entry]);
  }
  return sites;
}

/** Changes by site: its name, place and partner, and a line for each change. The rows are in the order of the sites. */
export function LedgerList({ rows }: { rows: readonly FragmentType<typeof fragment>[] }) {
  return (
    <ul className="ledger plain">
      {bySite(readFragment(fragment, rows)).map((entries) => {
        const { facilityUuid, facilityName, district, province, implementingPartner: partner } = entries[0]!.facility!;
        return (
          <li className="ledger-site" key={entries[0]!.id}>
            <div className="ledger-place">
              <h2>
                <ScopeLink to={routes.facility(facilityUuid)}>{facilityName}</ScopeLink>
              </h2>
              <span className="note">
                <ScopeLink to={routes.facilitiesOfDistrict(district.districtId)}>{district.name}</ScopeLink>,{" "}
                {province.name}
                {partner ? (
                  <>
                    {" · "}
                    <ScopeLink to={routes.partner(partner.implementingPartnerId)}>
                      {partner.implementingPartner}
                    </ScopeLink>
                  </>
                ) : null}
              </span>
            </div>
            <ul className="plain">
              {entries.map((entry) => (
                <ChangeLine entry={entry} key={entry.id} />
              ))}
            </ul>
          </li>
        );
      })}
    </ul>
  );
}
