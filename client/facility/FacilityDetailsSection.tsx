import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/facility.rules.ts";
import { graphql } from "../gql/gql.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { MapLink } from "./MapLink.tsx";
import "./FacilityDetailsSection.css";

const fragment = graphql(`
  fragment FacilityDetailsSection_Facility on Facility {
    id
    hmisCode
    oldHmisCode
    facilityOwner
    healthCenterType
    facilityType
    laboratoryLevel
    latitude
    longitude
    functionalityStatusMode
    district { id districtId name }
    province { id provinceId name }
    implementingPartner { id implementingPartnerId implementingPartner }
    connectivity {
      present
      details
      mobileCoverage
      type { id type }
      mobileProvider { id provider }
    }
    serviceAreas { id serviceArea }
  }
`);

type Facts = readonly (readonly [label: string, value: ReactNode])[];

function FactGroup({ title, facts }: { title: string; facts: Facts }) {
  return (
    <div className="facility-group">
      <h2>{title}</h2>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || <span className="facility-unknown">Not recorded</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

const yesOrNo = (value: boolean | null | undefined) => (value == null ? null : value ? "Yes" : "No");

/** What is known of a facility: its metadata, how it is connected, its service areas. */
export function FacilityDetailsSection({ facility }: { facility: FragmentType<typeof fragment> }) {
  const known = readFragment(fragment, facility);
  const { district, province, implementingPartner: partner, functionalityStatusMode: mode, connectivity, latitude, longitude } = known;
  return (
    <section className="card facility-details" aria-label="Facility details">
      <FactGroup
        title="Details"
        facts={[
          ["HMIS code", known.hmisCode],
          ["Old HMIS code", known.oldHmisCode],
          ["District", <Link to={routes.facilitiesOfDistrict(district.districtId)}>{district.name}</Link>],
          ["Province", <Link to={routes.districts(province.provinceId)}>{province.name}</Link>],
          ["Implementing partner", partner ? <Link to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</Link> : null],
          ["Facility owner", known.facilityOwner],
          ["Health center type", known.healthCenterType],
          ["Facility type", known.facilityType],
          ["Laboratory level", known.laboratoryLevel],
          ["Deployment mode", mode ? modeLabels[mode] : null],
          ["Location", latitude != null && longitude != null ? <MapLink latitude={latitude} longitude={longitude} /> : null],
        ]}
      />
      <FactGroup
        title="Connectivity"
        facts={[
          ["Present", yesOrNo(connectivity.present)],
          ["Type", connectivity.type?.type],
          ["Details", connectivity.details],
          ["Mobile coverage", yesOrNo(connectivity.mobileCoverage)],
          ["Mobile provider", connectivity.mobileProvider?.provider],
        ]}
      />
      <div className="facility-group">
        <h2>Service areas</h2>
        {known.serviceAreas.length ? (
          <ul className="facility-areas">
            {known.serviceAreas.map(({ id, serviceArea }) => (
              <li key={id}>{serviceArea}</li>
            ))}
          </ul>
        ) : (
          <p className="facility-unknown">None recorded</p>
        )}
      </div>
    </section>
  );
}
