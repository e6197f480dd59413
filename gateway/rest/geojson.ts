import type { FastifyReply } from "fastify";

import { named, sendRows } from "./lines.ts";

/** GeoJSON (RFC 7946) of all nouns: WGS 84, longitude first. */

export const geojsonType = "application/geo+json";

type Feature = {
  type: "Feature";
  id: string;
  geometry: { type: "Point"; coordinates: [longitude: number, latitude: number] } | null;
  properties: object;
};

/** A feature at a position; without a position it has no geometry. */
export const featureOf = (
  id: string,
  { latitude, longitude }: { latitude: number | null; longitude: number | null },
  properties: object,
): Feature => ({
  type: "Feature",
  id,
  geometry: latitude === null || longitude === null ? null : { type: "Point", coordinates: [longitude, latitude] },
  properties,
});

const head = '{"type":"FeatureCollection","features":[\n';
const tail = "\n]}\n";

/** Sends features as a file to be saved under `fileName`, one feature per line; see `sendRows`. */
export const sendFeatures = (
  reply: FastifyReply,
  fileName: string,
  features: AsyncIterable<Feature>,
): Promise<FastifyReply> =>
  sendRows(named(reply, fileName, geojsonType), { head, between: ",\n", tail }, features, (feature) =>
    JSON.stringify(feature),
  );

/** Sends a page of features in one piece, so that it can have an ETag. */
export const sendFeaturePage = (reply: FastifyReply, fileName: string, features: readonly Feature[]): FastifyReply =>
  named(reply, fileName, geojsonType).send(
    Buffer.from(head + features.map((feature) => JSON.stringify(feature)).join(",\n") + tail),
  );
