import { Card } from "@blueprintjs/core";
import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import { frameOf, isWithin, perDegree, reachOf } from "../../ui/map/boundaries.ts";
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
    district { id name outline { path box } }
    latestAssessment @include(if: $visits) { id assessmentDate latitude longitude distanceFromFacility }
  }
`);

type Place = { latitude: number; longitude: number };
type Located = { latitude?: number | null; longitude?: number | null } | null | undefined;
const placeOf = (of: Located): Place | undefined =>
  of?.latitude != null && of.longitude != null ? { latitude: of.latitude, longitude: of.longitude } : undefined;

type OutlineProps = { path: string; box: readonly number[]; place: Place; label: string };

/** The outline of the district with the position. */
function Outline({ path, box, place, label }: OutlineProps) {
  const point = { east: place.longitude * perDegree, north: place.latitude * perDegree };
  const reach = reachOf([box], [point]);
  if (!reach || !isWithin(reach, point)) return null;
  const { viewBox, squeeze, size } = frameOf([box, [point.east, point.north, point.east, point.north]]);
  return (
    <svg aria-label={label} role="img" viewBox={viewBox}>
      <g transform={`scale(${squeeze} -1)`}>
        <path className="site-map-ground" d={path} />
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
  return (
    <Card aria-labelledby="facility-map" className="story-card stack is-close" role="region">
      <h2 id="facility-map">Map</h2>
      {place ? (
        <>
          <div className="site-map">
            {district.outline ? (
              <Outline {...district.outline} label={`${facilityName} in ${district.name}`} place={place} />
            ) : null}
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
