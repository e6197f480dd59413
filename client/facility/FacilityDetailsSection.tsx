import { Card, Tag } from "@blueprintjs/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { facilityFields, fieldGroups, type FieldName } from "../../db/facility/facilityFields.rules.ts";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { FacilityDetailsSection_FacilityFragment } from "../gql/graphql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { useIsPhone } from "../ui/form/useIsWide.ts";
import { Fact, FactList, type FactProps } from "../ui/page/FactList.tsx";
import { MapLink } from "../ui/page/MapLink.tsx";
import { useIsPrinting } from "../ui/page/useIsPrinting.ts";
import { formatDate } from "../ui/text/dates.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { readFields } from "./facilityFields.ts";
import "./FacilityDetailsSection.css";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";

const fragment = graphql(`
  fragment FacilityDetailsSection_Facility on Facility {
    id
    facilityName
    ...FacilityFields_Facility
    functionalityStatusMode
    identifiers { system systemName value from until }
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
    <div className="facility-group stack is-close">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

const Known = (props: Omit<FactProps, "unknown">) => <Fact {...props} unknown="Not recorded" />;

const shown = (value: string | number | null) => (typeof value === "number" ? formatNumber(value) : value);

type Identifier = { system: string; systemName: string; value: string; from?: string | null; until?: string | null };
const period = ({ from, until }: Identifier) =>
  from || until
    ? ` (${[from ? `from ${formatDate(from)}` : "", until ? `until ${formatDate(until)}` : ""].filter(Boolean).join(" ")})`
    : "";
/**
 * Whether an identifier is listed: one of another system, or an earlier code. The codes in use are among the facility's
 * fields.
 */
const isListed = (
  { system, value, until }: Identifier,
  { hmisCode, oldHmisCode }: { hmisCode: string | null; oldHmisCode: string | null },
) => !(system === "hmis" && until == null && value === hmisCode) && !(system === "formerHmis" && value === oldHmisCode);

/** The label of an identifier. One that ended is marked as former, to distinguish it from the one in use. */
const labelOf = ({ system, systemName, until }: Identifier) =>
  `${systemName}${until && system !== "formerHmis" ? " (former)" : ""}`;

const yesOrNo = (value: boolean | null | undefined) => (value == null ? null : value ? "Yes" : "No");

/** Where a facility is, what identifies it and how it is connected, in one line. */
function briefOf(known: FacilityDetailsSection_FacilityFragment, words: string): string {
  const { hmisCode, facilityType } = readFields(known);
  const { present, type, mobileCoverage, mobileProvider } = known.connectivity;
  return [
    known.district.name,
    words,
    hmisCode,
    facilityType,
    known.implementingPartner?.implementingPartner,
    present == null ? null : present ? (type?.type ?? "Connected") : "No connectivity",
    mobileCoverage == null
      ? null
      : mobileCoverage
        ? (mobileProvider?.provider ?? "Mobile coverage")
        : "No mobile coverage",
  ]
    .filter(Boolean)
    .join(" · ");
}

type FacilityDetailsSectionProps = {
  facility: FragmentType<typeof fragment>;
  /** the words with which the line that opens them begins, before the most important facts */
  brief?: string;
  isOpen?: boolean;
};

/** The details of a facility: metadata, connectivity and service areas. On a phone they are folded at first. */
export function FacilityDetailsSection({ facility, brief, isOpen: isOpenAtFirst }: FacilityDetailsSectionProps) {
  const known = readFragment(fragment, facility);
  const isPhone = useIsPhone();
  const isPrinting = useIsPrinting();
  const [chosen, choose] = useState<boolean>();
  const isOpen = isPrinting || (chosen ?? isOpenAtFirst ?? !isPhone);
  const fields = readFields(known);
  const { district, province, implementingPartner: partner, functionalityStatusMode: mode, connectivity } = known;
  const { latitude, longitude } = fields;
  const factsOf = (names: readonly FieldName[]) =>
    names.map((name) => (
      <Known key={name} label={facilityFields[name].label}>
        {shown(fields[name])}
      </Known>
    ));
  return (
    <Card aria-label="Facility details" role="region">
      <details className="facility-details" open={isOpen}>
        <summary
          onClick={(event) => {
            event.preventDefault();
            choose(!isOpen);
          }}
        >
          {brief ? briefOf(known, brief) : <strong>Registry, connectivity, identifiers</strong>}
        </summary>
        <div className="stack is-apart">
          <Group title="Facility">
            <FactList>
              {factsOf(fieldGroups.codes)}
              <Known label="District">
                <ScopeLink to={routes.facilitiesOfDistrict(district.districtId)}>{district.name}</ScopeLink>
              </Known>
              <Known label="Province">
                <ScopeLink to={routes.districts(province.provinceId)}>{province.name}</ScopeLink>
              </Known>
              <Known label="Implementing partner">
                {partner ? (
                  <ScopeLink to={routes.partner(partner.implementingPartnerId)}>
                    {partner.implementingPartner}
                  </ScopeLink>
                ) : null}
              </Known>
              {factsOf(fieldGroups.kinds)}
              <Known label="Deployment mode">{mode ? modeLabels[mode] : null}</Known>
              <Known label="Location">
                {latitude != null && longitude != null ? (
                  <>
                    <MapLink latitude={latitude} longitude={longitude} />
                    {" · "}
                    <Link
                      to={`${routes.facilities()}?near=${latitude.toFixed(6)},${longitude.toFixed(6)},20&nearName=${encodeURIComponent(known.facilityName)}`}
                    >
                      Sites within 20 km
                    </Link>
                  </>
                ) : null}
              </Known>
              {factsOf(fieldGroups.later)}
              {known.identifiers
                .filter((one) => isListed(one, fields))
                .map((one) => (
                  <Known key={`${one.system} ${one.value}`} label={labelOf(one)}>{`${one.value}${period(one)}`}</Known>
                ))}
            </FactList>
          </Group>
          <Group title="Connectivity">
            <FactList>
              <Known label="Present">{yesOrNo(connectivity.present)}</Known>
              <Known label="Type">{connectivity.type?.type}</Known>
              <Known label="Mobile coverage">{yesOrNo(connectivity.mobileCoverage)}</Known>
              <Known label="Mobile provider">{connectivity.mobileProvider?.provider}</Known>
              <Known label="Details" isWide>
                {connectivity.details}
              </Known>
            </FactList>
          </Group>
          <Group title="Service areas">
            {known.serviceAreas.length ? (
              <ul className="row plain">
                {known.serviceAreas.map(({ id, serviceArea }) => (
                  <li key={id}>
                    <Tag minimal multiline>
                      {serviceArea}
                    </Tag>
                  </li>
                ))}
              </ul>
            ) : (
              <p className="soft">None recorded</p>
            )}
          </Group>
        </div>
      </details>
    </Card>
  );
}
