import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import { routes } from "../../routes.ts";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import "./PlaceLinks.css";

const fragment = graphql(`
  fragment PlaceLinks_Facility on Facility {
    id
    district { id districtId name }
    province { id provinceId name }
    implementingPartner { id implementingPartnerId implementingPartner }
  }
`);

/** District, province and partner of a facility, below its name. */
export function PlaceLinks({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { district, province, implementingPartner: partner } = readFragment(fragment, facility);
  return (
    <span className="place-links">
      <ScopeLink to={routes.facilitiesOfDistrict(district.districtId)}>{district.name}</ScopeLink> ›{" "}
      <ScopeLink to={routes.districts(province.provinceId)}>{province.name}</ScopeLink>
      {partner ? (
        <>
          {" · "}
          <ScopeLink to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</ScopeLink>
        </>
      ) : null}
    </span>
  );
}
