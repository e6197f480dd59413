import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
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

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="facility-group">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={isWide ? "is-wide" : undefined}>
      <dt>{label}</dt>
      <dd>{children || <span className="facility-unknown">Not recorded</span>}</dd>
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
      <Group title="Facility">
        <dl>
          <Fact label="HMIS code">{known.hmisCode}</Fact>
          <Fact label="Old HMIS code">{known.oldHmisCode}</Fact>
          <Fact label="District">
            <Link to={routes.facilitiesOfDistrict(district.districtId)}>{district.name}</Link>
          </Fact>
          <Fact label="Province">
            <Link to={routes.districts(province.provinceId)}>{province.name}</Link>
          </Fact>
          <Fact label="Implementing partner">
            {partner ? <Link to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</Link> : null}
          </Fact>
          <Fact label="Facility owner">{known.facilityOwner}</Fact>
          <Fact label="Health center type">{known.healthCenterType}</Fact>
          <Fact label="Facility type">{known.facilityType}</Fact>
          <Fact label="Laboratory level">{known.laboratoryLevel}</Fact>
          <Fact label="Deployment mode">{mode ? modeLabels[mode] : null}</Fact>
          <Fact label="Location">
            {latitude != null && longitude != null ? <MapLink latitude={latitude} longitude={longitude} /> : null}
          </Fact>
        </dl>
      </Group>
      <Group title="Connectivity">
        <dl>
          <Fact label="Present">{yesOrNo(connectivity.present)}</Fact>
          <Fact label="Type">{connectivity.type?.type}</Fact>
          <Fact label="Mobile coverage">{yesOrNo(connectivity.mobileCoverage)}</Fact>
          <Fact label="Mobile provider">{connectivity.mobileProvider?.provider}</Fact>
          <Fact label="Details" isWide>
            {connectivity.details}
          </Fact>
        </dl>
      </Group>
      <Group title="Service areas">
        {known.serviceAreas.length ? (
          <ul className="facility-areas">
            {known.serviceAreas.map(({ id, serviceArea }) => (
              <li key={id}>{serviceArea}</li>
            ))}
          </ul>
        ) : (
          <p className="facility-unknown">None recorded</p>
        )}
      </Group>
    </section>
  );
}
