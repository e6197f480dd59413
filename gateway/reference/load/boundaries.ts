import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

import { z } from "zod";

import {
  listDistrictBoundaries,
  listProvinceBoundaries,
  type NewBoundary,
  updateBoundaries,
} from "../../../db/reference/boundary.ts";
import type { Handle } from "../../../db/engine/connect.ts";
import { listDistricts, listProvinces } from "../../../db/reference/reference.ts";
import { boxOf, geometryRules, mostBytes, pathOf } from "../boundary.rules.ts";
import type { Journal } from "./journal.ts";
import { nameKey } from "../../input/identity.rules.ts";

/**
 * Loads outlines of provinces and districts from GeoJSON. A feature belongs to the district that it names, or to the
 * province if it names no district.
 */

const fileRules = z.object({
  type: z.literal("FeatureCollection"),
  credit: z.string().max(256).optional(),
  features: z.array(z.unknown()),
});
const featureRules = z.object({
  properties: z.object({
    province: z.string().optional(),
    district: z.string().optional(),
    name: z.string().optional(),
  }),
  geometry: geometryRules,
});
/** The key of a name without punctuation and spaces: North-Western and North Western are the same place. */
const keyOf = (name: string) => nameKey(name).replaceAll(/[^\p{L}\p{N}]/gu, "");

async function readFeatures(journal: Journal, file: string): Promise<{ credit: string | null; features: unknown[] }> {
  const refuse = (reason: string) => {
    journal.errors.push({ file, line: 0, reason });
    return { credit: null, features: [] };
  };
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    return refuse(error instanceof SyntaxError ? "is no JSON" : "cannot be read");
  }
  const read = fileRules.safeParse(content);
  return read.success
    ? { credit: read.data.credit ?? null, features: read.data.features }
    : refuse("is no GeoJSON with a FeatureCollection");
}

const bytesOf = (rows: readonly { path: string }[]) => gzipSync(rows.map(({ path }) => path).join("\n")).length;

/** Loads the outlines of these files, after all lists. All errors are reported, and a note says what was read. */
export async function loadBoundaries(handle: Handle, journal: Journal, files: readonly string[]): Promise<void> {
  if (files.length === 0) return;
  const provinces = (await listProvinces(handle, { page: {} })).rows;
  const districts = (await listDistricts(handle, { page: {} })).rows;
  for (const file of files) {
    const { credit, features } = await readFeatures(journal, file);
    const boundaries: NewBoundary[] = [];
    for (const [index, feature] of features.entries()) {
      const refuse = (reason: string) =>
        journal.errors.push({ file, line: 0, reason: `feature ${index + 1}: ${reason}` });
      const read = featureRules.safeParse(feature);
      if (!read.success) {
        refuse("must have a name (province, and district of districts) and a Polygon or MultiPolygon in degrees");
        continue;
      }
      const { province: named, district, name } = read.data.properties;
      const provinceName = named ?? name ?? "";
      const province = provinces.find((row) => keyOf(row.name) === keyOf(provinceName));
      const within = districts.filter(
        (row) =>
          district !== undefined &&
          keyOf(row.name) === keyOf(district) &&
          (named === undefined || row.provinceId === province?.provinceId),
      );
      const path = pathOf(read.data.geometry);
      if (path === "") refuse("is smaller than 200 m");
      else if (district === undefined && province)
        boundaries.push({ provinceId: province.provinceId, path, ...boxOf(path) });
      else if (district !== undefined && within.length === 1)
        boundaries.push({ districtId: within[0]!.districtId, path, ...boxOf(path) });
      else
        refuse(
          district === undefined
            ? `there is no province “${provinceName}”`
            : `there is no one district “${district}”${named === undefined ? "" : ` in ${named}`}`,
        );
    }
    if (boundaries.length > 0) await updateBoundaries(handle, { boundaries, credit });
    const ofDistricts = boundaries.filter((row) => "districtId" in row).length;
    journal.notes.push(
      `${file}: outlines of ${boundaries.length - ofDistricts} provinces and ${ofDistricts} districts`,
    );
  }
  const all = {
    provinces: bytesOf(await listProvinceBoundaries(handle)),
    districts: bytesOf(await listDistrictBoundaries(handle, {})),
  };
  for (const level of ["provinces", "districts"] as const)
    if (all[level] > mostBytes[level])
      journal.errors.push({
        file: files.join(", "),
        line: 0,
        reason: `the outlines of the ${level} have ${all[level]} bytes, compressed; at most ${mostBytes[level]}: simplify them first`,
      });
}
