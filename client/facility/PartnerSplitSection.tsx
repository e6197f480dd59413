import { Link, useLocation } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { PartnerSplitSectionQueryQueryVariables } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { useScreenQuery } from "../urql.ts";
import { noPartner } from "./facilityFilter.ts";
import "./PartnerSplitSection.css";

const query = graphql(`
  query PartnerSplitSectionQuery(
    $provinceId: Int, $districtId: Int, $mode: FunctionalityStatusMode, $search: String, $filter: FacilityFilter
  ) {
    facilityGroups(
      by: [IMPLEMENTING_PARTNER], minimumSize: 1, first: 100
      provinceId: $provinceId, districtId: $districtId, mode: $mode, search: $search, filter: $filter
    ) {
      facilities
      implementingPartner { id implementingPartnerId implementingPartner }
    }
  }
`);

/** A list of facilities is not split further than this: the rest is told as a number. */
const mostShown = 8;

type PartnerSplitSectionProps = { total: number; variables: PartnerSplitSectionQueryQueryVariables };

/** How many facilities a list has, and how many of them each partner supports; each number narrows the list to them. */
export function PartnerSplitSection({ total, variables }: PartnerSplitSectionProps) {
  const { provinceId, districtId, mode, search, filter } = variables;
  const { data } = useScreenQuery(query, { provinceId, districtId, mode, search, filter });
  const { pathname, search: address } = useLocation();
  const groups = (data?.facilityGroups ?? []).toSorted((one, other) => other.facilities - one.facilities);
  const addressOf = (partner: string) => {
    const url = new URLSearchParams(address);
    url.delete("page");
    url.set("implementingPartnerId", partner);
    return `${pathname}?${url}`;
  };
  const rest = groups.slice(mostShown).reduce((sum, { facilities }) => sum + facilities, 0);
  return (
    <ul aria-label="Facilities by partner" className="partner-split plain row screen-only">
      <li>
        <strong>{counted(total, "facility", "facilities")}</strong>
      </li>
      {(groups.length > 1 ? groups : []).slice(0, mostShown).map(({ facilities, implementingPartner: partner }) => (
        <li key={partner?.id ?? noPartner}>
          <Link to={addressOf(partner ? String(partner.implementingPartnerId) : noPartner)}>
            {partner?.implementingPartner ?? "No partner"} {formatNumber(facilities)}
          </Link>
        </li>
      ))}
      {rest > 0 ? <li className="soft">others {formatNumber(rest)}</li> : null}
    </ul>
  );
}
