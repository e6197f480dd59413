import { expect, test } from "vitest";

import { sampleFacility, visit } from "../support/assessment-data.ts";
import { bodyOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/** How far a visit was from its facility's registered position, through both interfaces and the export. */

const gateway = await gatewayOfFile();
const facility = await sampleFacility(gateway.db, 60);

type Visit = { assessmentUuid: string; version: number; distanceFromFacility: number | null };
const site = { latitude: -13.13373, longitude: 27.8493 };

async function register(position: { latitude: number | null; longitude: number | null }): Promise<void> {
  await gateway.db
    .updateTable("facility")
    .set(position)
    .where("facilityUuid", "=", facility.facilityUuid)
    .executeTakeFirstOrThrow();
}
const assessor = () => gateway.as("assessor");
async function stored(more: object): Promise<Visit> {
  const answer = await (await assessor()).call("POST", "/api/v1/assessment", visit(facility, more));
  expect(answer).toMatchObject({ status: 200 });
  return bodyOf<Visit>(answer);
}
const read = async ({ assessmentUuid }: Visit) =>
  bodyOf<Visit>(await (await assessor()).get(`/api/v1/assessment/${assessmentUuid}`));

// A degree of latitude is 111,195 m on a sphere of the earth's mean radius; one of longitude is as much at the equator.
test.each([
  [site, site, 0],
  [{ ...site, latitude: site.latitude + 340 / 111_195 }, site, 340],
  [{ latitude: -13, longitude: 28 }, { latitude: -14, longitude: 28 }, 111_195],
  [{ latitude: 0, longitude: 179.5 }, { latitude: 0, longitude: -179.5 }, 111_195],
  [{ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 180 }, 20_015_115],
])("a visit at %j of a facility at %j has a distance of %i m", async (place, registered, metres) => {
  await register(registered);
  const visited = await stored(place);
  expect(Math.abs(visited.distanceFromFacility! - metres)).toBeLessThan(10);
  const { data } = await (
    await assessor()
  ).graphql<{ assessment: Visit }>(
    `query ($uuid: String!) { assessment(assessmentUuid: $uuid) { distanceFromFacility } }`,
    { uuid: visited.assessmentUuid },
  );
  expect(data.assessment.distanceFromFacility).toBe(visited.distanceFromFacility);
  const { text } = await (await assessor()).get(`/api/v1/assessment/csv/assessment/${visited.assessmentUuid}`);
  const [head, row] = text.trim().split("\r\n");
  expect(row!.split(",")[head!.split(",").indexOf("distanceFromFacility")]).toBe(String(visited.distanceFromFacility));
});

test("the distance follows the registered position, is null without it, and may be sent back", async () => {
  await register(site);
  const visited = await stored(site);
  await register({ latitude: null, longitude: null });
  expect((await read(visited)).distanceFromFacility).toBeNull();
  await register({ ...site, latitude: site.latitude + 1 });
  expect((await read(visited)).distanceFromFacility).toBe(111_195);
  const person = await assessor();
  const back = { ...visited, closingComments: "Sent back" };
  expect(bodyOf(await person.call("PATCH", "/api/v1/assessment", back))).toMatchObject({
    closingComments: "Sent back",
    distanceFromFacility: 111_195,
  });
  const without = await stored({ latitude: null, longitude: null, positionNote: "The phone finds none here" });
  expect(without).toMatchObject({ distanceFromFacility: null, positionNote: "The phone finds none here" });
  const long = visit(facility, { positionNote: "x".repeat(257) });
  expect(bodyOf(await person.call("POST", "/api/v1/assessment", long))).toMatchObject({
    errors: [{ path: "positionNote", message: "may have at most 256 characters" }],
  });
});

test("visits as GeoJSON are points with accuracy and distance; a visit without a position has no geometry", async () => {
  await register(site);
  const at = { ...site, positionAccuracy: 12, closingComments: "On the map" };
  const [there, nowhere] = [await stored(at), await stored({ latitude: null, longitude: null })];
  const { text } = await (await assessor()).get("/api/v1/assessment/geojson/2020-01-01/2998-01-01");
  const { features } = JSON.parse(text) as { features: { id: string; geometry: object | null; properties: object }[] };
  const featureOf = ({ assessmentUuid }: Visit) => features.find(({ id }) => id === assessmentUuid);
  expect(featureOf(there)).toMatchObject({
    geometry: { type: "Point", coordinates: [site.longitude, site.latitude] },
    properties: { positionAccuracy: 12, distanceFromFacility: 0, closingComments: "On the map" },
  });
  expect(featureOf(nowhere)).toMatchObject({ geometry: null, properties: { distanceFromFacility: null } });
  const refused = await (await gateway.as("uploader")).get("/api/v1/assessment/geojson/2020-01-01/2998-01-01");
  expect(refused.status).toBe(403);
});
