import { z } from "zod";

import { endBeforeStart, endRule, inOrder, startRule } from "../calendar/period.rules.ts";
import { facilityUuidRule } from "../facility/facility.rules.ts";
import { listedModes } from "../facility/listFilter.rules.ts";
import { valueOf } from "../input/listParameters.rules.ts";
import { queryShapeOf, sortRuleOf } from "../input/listQuery.rules.ts";
import { idRule, listQueryRules, uuidRule } from "../input/page.rules.ts";
import { HeldBody, heldQueryRule, setAsideQueryRule } from "../input/setAside.rules.ts";
import { lineRule } from "../input/texts.rules.ts";
import { tdbParameters, type TdbParameterName } from "./listFilter.rules.ts";
import { manifestRules } from "./tdbx.rules.ts";

const bytesRule = z
  .number()
  .int("must be a whole number of bytes")
  .min(0, "must not be negative")
  .max(Number.MAX_SAFE_INTEGER);
const isOrdered = <Value extends string | number>(
  low: Value | null | undefined,
  high: Value | null | undefined,
): boolean => low == null || high == null || low <= high;

type Created = { createdStart?: string | null | undefined; createdEnd?: string | null | undefined };
const createdInOrder: [(days: Created) => boolean, { path: string[]; message: string }] = [
  ({ createdStart, createdEnd }) => isOrdered(createdStart, createdEnd),
  { ...endBeforeStart, path: ["createdEnd"] },
];
const searchRule = lineRule(256).min(1, "must not be empty");

/**
 * Filters of a list of TDBs: a facility or a scope, the sender, the days of receipt and of creation (first and last
 * included), the size, the version in the manifest, and the present state of the facility.
 */
export const tdbFilterRules = z
  .strictObject({
    facilityUuid: facilityUuidRule.nullish(),
    provinceId: idRule.nullish(),
    districtId: idRule.nullish(),
    implementingPartnerId: idRule.nullish(),
    userUuid: uuidRule.nullish(),
    delta: z.boolean().nullish(),
    start: startRule.nullish(),
    end: endRule.nullish(),
    createdStart: startRule.nullish(),
    createdEnd: endRule.nullish(),
    minSize: bytesRule.nullish(),
    maxSize: bytesRule.nullish(),
    libraryVersion: searchRule.nullish(),
    sender: searchRule.nullish(),
    setAside: z.boolean().nullish(),
    held: z.boolean().nullish(),
    overdue: z.boolean().nullish(),
    modes: z
      .array(z.enum(listedModes))
      .min(1, "must name a mode")
      .max(listedModes.length, "names a mode twice")
      .nullish(),
  })
  .refine(...inOrder)
  .refine(...createdInOrder)
  .refine(({ minSize, maxSize }) => isOrdered(minSize, maxSize), {
    path: ["maxSize"],
    message: "must not be less than minSize",
  });
export type TdbFilter = z.output<typeof tdbFilterRules>;

const keys = ["uploaded", "created", "size", "facility"] as const;
const placeShape = {
  provinceId: idRule.optional(),
  districtId: idRule.optional(),
  implementingPartnerId: idRule.optional(),
};
const listShape = {
  ...queryShapeOf(tdbParameters),
  // Beyond the dates of an address, REST takes relative ranges, as GraphQL does.
  createdStart: startRule.optional().describe(tdbParameters.createdStart.about),
  createdEnd: endRule.optional().describe(tdbParameters.createdEnd.about),
  setAside: setAsideQueryRule,
  held: heldQueryRule,
  sort: sortRuleOf(keys, "The latest received first."),
};

/**
 * Query parameters of an export of all TDBs of some days: filters by part of the country, facility, sender and more,
 * and the order.
 */
export const tdbExportRules = z
  .strictObject({
    facilityUuid: facilityUuidRule.optional(),
    ...placeShape,
    userUuid: uuidRule.optional(),
    ...listShape,
  })
  .refine(...createdInOrder);

/** Query parameters of a REST list of TDBs: page, filters and order. */
export const tdbListRules = listQueryRules.extend({ ...placeShape, ...listShape }).refine(...createdInOrder);

/** The list that checked parameters describe. */
export function tdbListOf<Query extends { [Name in TdbParameterName]?: string | undefined }>(query: Query) {
  const given = (Object.keys(tdbParameters) as TdbParameterName[]).filter((name) => query[name] !== undefined);
  return {
    ...query,
    ...Object.fromEntries(given.map((name) => [name, valueOf(tdbParameters[name], query[name]!)])),
  } as Omit<Query, TdbParameterName> & Pick<TdbFilter, TdbParameterName>;
}

/** The result for one uploaded file. */
export const tdbReceiptRules = z
  .object({
    fileName: z.string(),
    accepted: z.boolean(),
    duplicate: z.boolean().describe("The content was received before: the rest names that upload"),
    uuid: z.string().nullable(),
    reference: z.number().nullable().describe("Number of the receipt"),
    facilityUuid: z.string().nullable(),
    facility: z.string().nullable(),
    sha256: z.string().nullable().describe("Of the bytes received, in hexadecimal"),
    size: z.number().nullable().describe("Bytes"),
    uploadDate: z.string().nullable().describe("Day of receipt, YYYY-MM-DD"),
    uploadTime: z.string().nullable().describe("Time of receipt, HH:MM"),
    held: HeldBody,
    error: z.object({ message: z.string() }).nullable(),
  })
  .meta({ id: "TdbReceipt" });
export type TdbReceipt = z.output<typeof tdbReceiptRules>;

/** An upload in parts that its sender can continue. */
export const unfinishedUploadRules = z
  .object({
    uuid: z.string(),
    fileName: z.string(),
    size: z.number().describe("Bytes of the whole file"),
    received: z.number().describe("Bytes that are here, from the beginning on"),
    beganAt: z.string().describe("ISO 8601 instant"),
    lastByteAt: z.string().nullable().describe("ISO 8601 instant; null while nothing has come"),
    expiresAt: z.string().describe("ISO 8601 instant after which it is removed if nothing more comes"),
    sha256: z
      .string()
      .nullable()
      .describe("In hexadecimal, of an accepted file: finish returns its receipt; null before"),
  })
  .meta({ id: "UnfinishedUpload" });
export type UnfinishedUpload = z.output<typeof unfinishedUploadRules>;

/** Query parameters of the list of one's unfinished uploads. */
export const unfinishedListRules = z.strictObject({
  size: z.coerce
    .number()
    .int()
    .min(1)
    .optional()
    .describe(
      "Only uploads of this many bytes, and those of this size that you sent lately and that were accepted: for a sender who may have lost the receipt",
    ),
});

/** The hashes that show whether a file is the one of an upload. */
export const uploadHashesRules = z
  .object({
    size: z.number().describe("Bytes of the whole file"),
    received: z.number().describe("Bytes that are here, from the beginning on"),
    hashes: z
      .array(
        z.object({
          start: z.number(),
          end: z.number().describe("Behind the last byte"),
          sha256: z.string().describe("In hexadecimal"),
        }),
      )
      .describe("Pieces of what is here and, where its sender announced it, the file's end"),
  })
  .meta({ id: "UploadHashes" });
export type UploadHashes = z.output<typeof uploadHashesRules>;

/** A file's manifest values and size, before it is sent. */
export const tdbPreviewRules = z.strictObject({
  facilityUuid: facilityUuidRule.nullish(),
  hmisCode: manifestRules.shape.facility.shape.hmisCode.nullish(),
  createdAt: manifestRules.shape.createdAt,
  delta: manifestRules.shape.delta,
  totalPatients: manifestRules.shape.totalPatients,
  fileSize: bytesRule,
});
