import { createHash } from "node:crypto";

import type { FastifyRequest } from "fastify";
import { z } from "zod";

import { readHeavily } from "../reading/shares.ts";
import { named, sendRows } from "../rest/lines.ts";
import { outlineOf } from "../reference/boundary.rules.ts";
import type { RestServer } from "../rest/route.ts";
import * as directory from "./directory.ts";
import { selected, selectionOf } from "./fields.rules.ts";
import { organisationUnitRules } from "./organisationUnit.rules.ts";

/** The tree of the country in the JSON of DHIS2's organisation units. */

const Uid = z.string().describe("A DHIS2 UID");
const OrganisationUnit = z
  .object({
    id: Uid.describe(
      "The facility's DHIS2 UID where it is known; else, and for places, one that is made from the platform's id and stays the same",
    ),
    code: z
      .string()
      .optional()
      .describe("The HMIS code of a facility; country, province-{id} and district-{id} of a place"),
    name: z.string(),
    shortName: z.string().describe("At most 50 characters, as DHIS2 takes them"),
    openingDate: z.string().describe("1970-01-01: DHIS2 demands a day, and the platform knows none"),
    closedDate: z.string().optional().describe("From this day on it is closed, or merged into another one"),
    parent: z.object({ id: Uid }).optional().describe("The unit above; missing at the top"),
    geometry: z
      .union([
        z.object({ type: z.literal("Point"), coordinates: z.array(z.number()) }),
        z.object({ type: z.literal("MultiPolygon"), coordinates: z.array(z.array(z.array(z.array(z.number())))) }),
      ])
      .optional()
      .describe("The position of a facility or the outline of a place, where it is known: longitude, latitude"),
    comment: z
      .string()
      .optional()
      .describe("Whose work the outline is; of a merged facility the name and UID of the one that stays"),
    level: z.number().describe("1 country, 2 province, 3 district, 4 facility"),
    path: z.string().describe("The UIDs from the top to this one"),
    lastUpdated: z.string().optional(),
  })
  .partial()
  .meta({ id: "OrganisationUnit", description: "All of it, or with `fields` the selected properties" });
const Uids = z.array(z.object({ id: Uid }));
const Group = z.object({ id: Uid, name: z.string(), shortName: z.string() });
const OrganisationUnits = z
  .object({
    pager: z
      .object({
        page: z.number(),
        pageCount: z.number(),
        total: z.number(),
        pageSize: z.number(),
        nextPage: z.string().optional().describe("The address of the next page"),
        prevPage: z.string().optional(),
      })
      .optional()
      .describe("Missing with paging=false"),
    organisationUnits: z.array(OrganisationUnit.loose()),
    organisationUnitGroups: z
      .array(Group.extend({ organisationUnits: Uids }))
      .optional()
      .describe("With paging=false and without fields: the facilities of each type and owner"),
    organisationUnitGroupSets: z
      .array(Group.extend({ organisationUnitGroups: Uids }))
      .optional()
      .describe("With the groups: Facility type, and Facility owner"),
  })
  .meta({ id: "OrganisationUnits" });

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** A UID in DHIS2's form (a letter, then ten letters or digits), made from the unit's id. */
function madeUid({ kind, id }: { kind: string; id: string }): string {
  const [first, ...rest] = createHash("sha256").update(`${kind}/${id}`).digest().subarray(0, 11);
  const all = `${letters}0123456789`;
  return letters[first! % letters.length]! + rest.map((byte) => all[byte % all.length]).join("");
}
const country: directory.UnitKey = { kind: "country", id: "0" };
const day = (date: string): string => `${date}T00:00:00.000`;

/** The code of a place. */
const codeOf = ({ kind, id }: directory.UnitKey): string => (kind === "country" ? kind : `${kind}-${id}`);

const uidOf = ({ kind, id, dhis2 }: Pick<directory.TreeUnit, "kind" | "id" | "dhis2">): string =>
  dhis2 ?? madeUid({ kind, id });

function organisationUnitOf({
  kind,
  id,
  name,
  parent,
  closedOn,
  changedAt,
  site,
  dhis2,
  outline,
  mergedInto,
}: directory.TreeUnit): z.input<typeof OrganisationUnit> {
  const uid = uidOf({ kind, id, dhis2 });
  const province: directory.UnitKey[] = site ? [{ kind: "province", id: String(site.provinceId) }] : [];
  const above = parent === null ? [] : [...(parent.kind === "country" ? [] : [country]), ...province, parent];
  const code = site ? site.hmisCode : codeOf({ kind, id });
  const isPlaced = site !== null && site.latitude !== null && site.longitude !== null;
  return {
    id: uid,
    ...(code === null ? {} : { code }),
    name,
    shortName: name.slice(0, 50),
    openingDate: day("1970-01-01"),
    ...(closedOn === null ? {} : { closedDate: day(closedOn) }),
    ...(parent === null ? {} : { parent: { id: madeUid(parent) } }),
    ...(isPlaced ? { geometry: { type: "Point" as const, coordinates: [site.longitude!, site.latitude!] } } : {}),
    ...(outline
      ? { geometry: outlineOf(outline.path), ...(outline.credit ? { comment: `Outline: ${outline.credit}` } : {}) }
      : {}),
    ...(mergedInto ? { comment: `Merged into ${mergedInto.name}, ${uidOf({ ...mergedInto, kind: "facility" })}` } : {}),
    level: above.length + 1,
    path: ["", ...above.map(madeUid), uid].join("/"),
    ...(changedAt === null ? {} : { lastUpdated: changedAt.replace("Z", "") }),
  };
}

/**
 * A unit with the additional properties that are only in the answer if they are selected. DHIS2 would not import the
 * translated names.
 */
function wholeUnitOf(unit: directory.TreeUnit): Record<string, unknown> {
  const body = organisationUnitOf(unit);
  const { name, shortName, level, path } = body;
  const above = unit.parent && {
    id: body.parent!.id,
    code: codeOf(unit.parent),
    name: unit.parent.name,
    displayName: unit.parent.name,
    level: level! - 1,
    path: path!.slice(0, path!.lastIndexOf("/")),
  };
  return {
    ...body,
    displayName: name,
    displayShortName: shortName,
    leaf: unit.kind === "facility",
    ...(above ? { parent: above } : {}),
  };
}

/** What DHIS2's group sets divide facilities by. */
const groupSets = [
  { kind: "facilityType", name: "Facility type" },
  { kind: "facilityOwner", name: "Facility owner" },
] as const;
const groupAs = (kind: string, name: string) => ({
  id: madeUid({ kind, id: name }),
  name,
  shortName: name.slice(0, 50),
});

/** Collects the groups of the facilities that are passed, and says them as the members of DHIS2's metadata. */
function groupsOfUnits() {
  const units = new Map(groupSets.map(({ kind }) => [kind, new Map<string, { id: string }[]>()]));
  return {
    add: (unit: directory.TreeUnit) => {
      for (const { kind } of groupSets) {
        const name = unit.site?.[kind];
        if (name == null) continue;
        const groups = units.get(kind)!;
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name)!.push({ id: uidOf(unit) });
      }
    },
    text: () => {
      const sets = groupSets.map(({ kind, name }) => {
        const groups = [...units.get(kind)!].map(([value, organisationUnits]) => ({
          ...groupAs(kind, value),
          organisationUnits,
        }));
        return { groups, set: { ...groupAs("set", name), organisationUnitGroups: groups.map(({ id }) => ({ id })) } };
      });
      return `"organisationUnitGroups":${JSON.stringify(sets.flatMap(({ groups }) => groups))},"organisationUnitGroupSets":${JSON.stringify(sets.map(({ set }) => set))}`;
    },
  };
}

/** The usual properties of an object within a unit. */
const usual = { parent: ["id"] };

/** Makes a function that converts a unit of a list: to all properties, or to those that `fields` selects. */
function bodyWith(fields: string | undefined): (unit: directory.TreeUnit) => z.input<typeof OrganisationUnit> {
  const selection = fields === undefined ? undefined : selectionOf(fields);
  return selection
    ? (unit) => selected(wholeUnitOf(unit), selection, usual) as z.input<typeof OrganisationUnit>
    : organisationUnitOf;
}

/** The address of another page of the same list. */
function pageAt(request: FastifyRequest, page: number): string {
  const url = new URL(request.url, `${request.protocol}://${request.host}`);
  url.searchParams.set("page", String(page));
  return url.href;
}

export function organisationUnitRoutes(server: RestServer): void {
  server.get(
    "/dhis2/organisationUnits",
    {
      schema: {
        operationId: "listOrganisationUnits",
        summary: "Country, provinces, districts and facilities as DHIS2 organisation units",
        description:
          "The whole tree from the top down, closed units and merged facilities too, paged as DHIS2 pages: `pager` has the numbers and the address of the next page. With `paging=false` the answer is one that DHIS2 imports as metadata, with group sets of type and owner. `fields` selects properties, as DHIS2's clients send it.",
        tags: ["Directories"],
        querystring: organisationUnitRules,
        response: { 200: OrganisationUnits },
      },
    },
    async (request, reply) => {
      const { fields, paging, skipPaging, page, pageSize, level } = request.query;
      const bodyOf = bodyWith(fields);
      if (paging === "false" || skipPaging === "true") {
        readHeavily(request.context);
        const groups = groupsOfUnits();
        const isGrouped = fields === undefined && (level ?? 4) === 4;
        return sendRows(
          named(reply, "organisationUnits.json", "application/json; charset=utf-8"),
          {
            head: '{"organisationUnits":[\n',
            between: ",\n",
            tail: () => (isGrouped ? `\n],\n${groups.text()}}\n` : "\n]}\n"),
          },
          await directory.exportTree(request.context, level),
          (unit) => {
            groups.add(unit);
            return JSON.stringify(bodyOf(unit));
          },
        );
      }
      const { units, total } = await directory.listTree(request.context, {
        level,
        skip: (page - 1) * pageSize,
        first: pageSize,
      });
      const pageCount = Math.max(1, Math.ceil(total / pageSize));
      return {
        pager: {
          ...{ page, pageCount, total, pageSize },
          ...(page < pageCount ? { nextPage: pageAt(request, page + 1) } : {}),
          ...(page > 1 ? { prevPage: pageAt(request, page - 1) } : {}),
        },
        organisationUnits: units.map(bodyOf),
      };
    },
  );
}
