import { Card } from "@blueprintjs/core";
import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";

import { type Boundaries, boundariesAt, frameOf, isWithin, perDegree, reachOf } from "../../ui/map/boundaries.ts";
import { useFetchedPart } from "../../ui/network/fetchedPart.ts";
import { isSavingData } from "../../ui/network/savingData.ts";
import { MapLink } from "../../ui/page/MapLink.tsx";
import { formatDate } from "../../ui/text/dates.ts";
import { distanceText } from "../../ui/text/distance.ts";
import "./SiteMapCard.css";

const fragment = graphql(`
  fragment SiteMapCard_Facility on Facility {
    id
    facilityName
    latitude
    longitude
    district { id districtId name }
    latestAssessment @include(if: $visits) { id assessmentDate latitude longitude distanceFromFacility }
  }
`);

type Place = { latitude: number; longitude: number };
type Located = { latitude?: number | null; longitude?: number | null } | null | undefined;
const placeOf = (of: Located): Place | undefined =>
  of?.latitude != null && of.longitude != null ? { latitude: of.latitude, longitude: of.longitude } : undefined;

/** The outline of the district with the position. */
function Outline({ boundaries, place, label }: { boundaries: Boundaries; place: Place; label: string }) {
  const point = { east: place.longitude * perDegree, north: place.latitude * perDegree };
  const boxes = boundaries.outlines.map(({ box }) => box);
  const reach = reachOf(boxes, [point]);
  if (boxes.length === 0 || !reach || !isWithin(reach, point)) return null;
  const { viewBox, squeeze, size } = frameOf([...boxes, [point.east, point.north, point.east, point.north]]);
  return (
    <svg aria-label={label} role="img" viewBox={viewBox}>
      <g transform={`scale(${squeeze} -1)`}>
        {boundaries.outlines.map(({ id, path }) => (
          <path className="site-map-ground" d={path} key={id} />
        ))}
        <ellipse className="site-map-point" cx={point.east} cy={point.north} rx={size / 28 / squeeze} ry={size / 28} />
      </g>
    </svg>
  );
}

/** Where a facility is: in its district's outline, with directions and where the position comes from. */
export function SiteMapCard({ facility }: { facility: FragmentType<typeof fragment> }) {
  const known = readFragment(fragment, facility);
  const { district, latestAssessment: visit, facilityName } = known;
  const registered = placeOf(known);
  const place = registered ?? placeOf(visit);
  const { file } = useFetchedPart(
    boundariesAt(`/api/v1/boundaries/districts?districtId=${district.districtId}`),
    place !== undefined && !isSavingData(),
  );
  return (
    <Card aria-labelledby="facility-map" className="story-card stack is-close" role="region">
      <h2 id="facility-map">Map</h2>
      {place ? (
        <>
          <div className="site-map">
            {file ? <Outline boundaries={file} label={`${facilityName} in ${district.name}`} place={place} /> : null}
          </div>
          <p className="row">
            <MapLink {...place}>Directions</MapLink>
            <span className="note">
              {registered ? "Registered position." : `Position of the visit of ${formatDate(visit?.assessmentDate)}.`}
              {registered && visit?.distanceFromFacility != null
                ? ` Last visit ${distanceText(visit.distanceFromFacility)}`
                : null}
            </span>
          </p>
        </>
      ) : (
        <p className="soft">No position is recorded.</p>
      )}
    </Card>
  );
}
