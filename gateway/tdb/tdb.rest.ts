import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";

import { facilityUuidRule } from "../facility/facility.rules.ts";
import { idRule, listQueryRules, uuidTextRule } from "../input/page.rules.ts";
import { HeldBody, SetAsideBody } from "../input/setAside.rules.ts";
import { dateRangeRules, dateRangeShape, inOrder } from "../calendar/period.rules.ts";
import type { Scope } from "../reference/reference.ts";
import { mapRows, sendNdjson } from "../rest/lines.ts";
import { linkNext, pageOf, sendList } from "../rest/list.ts";
import { sendLongTable } from "../rest/longTable.ts";
import { needs, type RestServer } from "../rest/route.ts";
import { fileShape, tableTypes } from "../rest/table.ts";
import * as tdb from "./tdb.ts";
import { tdbExportRules, type TdbFilter, tdbListOf, tdbListRules } from "./tdb.rules.ts";

/** Routes of transport databases: their records, never their content. */

export const TdbRecord = z
  .object({
    uuid: z.string(),
    facilityUuid: z.string(),
    facility: z.string(),
    district: z.string(),
    province: z.string(),
    uploadDate: z.string().describe("Day of receipt, YYYY-MM-DD"),
    uploadTime: z.string().describe("Time of receipt, HH:MM"),
    deltaTdb: z.boolean(),
    tdbCreationDate: z.string().describe("YYYY-MM-DD"),
    totalPatients: z.number(),
    fileSize: z.number().describe("Bytes"),
    userFirstName: z.string(),
    userSurname: z.string(),
    implementingPartner: z.string().nullable().describe("The partner that supports the facility today"),
    sha256: z.string().describe("Of the file, in hexadecimal"),
    libraryVersion: z.string().nullable().describe("Of SmartCare at the facility, as stated in the file"),
    setAside: SetAsideBody,
    held: HeldBody,
  })
  .meta({ id: "Tdb" });

const TdbHistoryFacility = z
  .object({
    facilityId: z.string().describe("The facilityUuid"),
    districtName: z.string(),
    facilityName: z.string(),
    dateUploaded: z.string().describe("YYYY-MM-DD"),
    totalPatients: z.number(),
  })
  .meta({ id: "TdbHistoryFacilityRow" });

const tags = ["TDBs"];
const right = "Needs uploadTdbs or administrator.";

/** The row of a TDB in REST. */
export const recordOf = (row: tdb.TdbRow): z.input<typeof TdbRecord> => ({
  uuid: row.uuid,
  facilityUuid: row.facilityUuid,
  facility: row.facility,
  district: row.district,
  province: row.province,
  uploadDate: row.uploadDate,
  uploadTime: row.uploadTime,
  deltaTdb: row.deltaTdb,
  tdbCreationDate: row.tdbCreationDate,
  totalPatients: row.totalPatients,
  fileSize: row.fileSize,
  userFirstName: row.userFirstName,
  userSurname: row.userSurname,
  implementingPartner: row.implementingPartner,
  sha256: row.sha256,
  libraryVersion: row.libraryVersion,
  setAside: row.setAside,
  held: row.held,
});

async function sendRecords(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, cursor, ...query }: z.output<typeof tdbListRules>,
  filter: TdbFilter,
) {
  return sendList(
    request,
    reply,
    { limit, cursor },
    (page) => tdb.listTdbs(request.context, { ...tdbListOf(query), ...filter, page }),
    recordOf,
  );
}

export function tdbRoutes(server: RestServer): void {
  const readers = needs("viewTdbs");
  const units: { unit: string; noun: string; scopeOf: (id: number) => Scope }[] = [
    { unit: "province", noun: "Province", scopeOf: (provinceId) => ({ provinceId }) },
    { unit: "district", noun: "District", scopeOf: (districtId) => ({ districtId }) },
  ];
  for (const { unit, noun, scopeOf } of units) {
    server.get(
      `/tdb/${unit}/:${unit}Id/:start/:end`,
      {
        ...readers,
        schema: {
          operationId: `listTdbHistoryFacilitiesOf${noun}`,
          summary: `TDB History of a ${unit}: each facility's latest TDB received on these days`,
          description: `By district and facility name. ${right}`,
          tags,
          params: z.strictObject({ [`${unit}Id`]: idRule, ...dateRangeShape }).refine(...inOrder),
          querystring: listQueryRules,
          response: { 200: z.array(TdbHistoryFacility) },
        },
      },
      async (request, reply) => {
        const {
          start,
          end,
          [`${unit}Id`]: id,
        } = request.params as { start: string; end: string; [id: string]: unknown };
        const input = { start, end, scope: scopeOf(id as number), page: pageOf(request.query) };
        return linkNext(request, reply, await tdb.listTdbHistoryFacilities(request.context, input));
      },
    );
  }

  const records = { querystring: tdbListRules, response: { 200: z.array(TdbRecord) } };
  server.get(
    "/tdb/facility/:facilityUuid",
    {
      ...readers,
      schema: {
        operationId: "listTdbsOfFacility",
        summary: "TDBs of a facility, newest first",
        description: right,
        tags,
        params: z.strictObject({ facilityUuid: facilityUuidRule }),
        ...records,
      },
    },
    (request, reply) => sendRecords(request, reply, request.query, { facilityUuid: request.params.facilityUuid }),
  );
  server.get(
    "/tdb/ip/:implementingPartnerId",
    {
      ...readers,
      schema: {
        operationId: "listTdbsOfImplementingPartner",
        summary: "TDBs of the facilities that a partner supports today, newest first",
        description: right,
        tags,
        params: z.strictObject({ implementingPartnerId: idRule }),
        ...records,
      },
    },
    (request, reply) =>
      sendRecords(request, reply, request.query, { implementingPartnerId: request.params.implementingPartnerId }),
  );

  server.get(
    "/tdb/count/:start/:end",
    {
      ...readers,
      schema: {
        operationId: "countTdbs",
        summary: "Number of TDBs received on these days, without those set aside or held",
        description: right,
        tags,
        params: dateRangeRules,
        response: { 200: z.number() },
      },
    },
    (request) => tdb.countTdbs(request.context, request.params),
  );
  server.get(
    "/tdb/list/user/:userUuid/start/:start/end/:end",
    {
      ...readers,
      schema: {
        operationId: "listTdbsOfUser",
        summary: "TDBs that a person sent on these days, newest first",
        description: right,
        tags,
        params: z.strictObject({ userUuid: uuidTextRule, ...dateRangeShape }).refine(...inOrder),
        ...records,
      },
    },
    (request, reply) => sendRecords(request, reply, request.query, request.params),
  );
  server.get(
    "/tdb/meta/list/all/:start/:end",
    {
      ...readers,
      schema: {
        operationId: "listTdbs",
        summary: "All TDBs received on these days, newest first",
        description: right,
        tags,
        params: dateRangeRules,
        ...records,
      },
    },
    (request, reply) => sendRecords(request, reply, request.query, request.params),
  );
  server.get(
    "/tdb/meta/list/all/csv/:start/:end",
    {
      ...readers,
      schema: {
        operationId: "exportTdbsAsCsv",
        summary: "All TDBs received on these days as a CSV or Excel file, newest first",
        description: `Narrowed and sorted as the lists are. ${right}`,
        produces: tableTypes,
        tags,
        params: dateRangeRules,
        querystring: tdbExportRules.safeExtend(fileShape),
      },
    },
    async (request, reply) => {
      const { start, end } = request.params;
      const { format, ...filter } = request.query;
      const table = await tdb.exportTdbLines(request.context, { ...tdbListOf(filter), start, end });
      return sendLongTable(request, reply, { name: `tdbs-${start}-to-${end}`, format }, table);
    },
  );
  server.get(
    "/tdb/meta/list/all/ndjson/:start/:end",
    {
      ...readers,
      schema: {
        operationId: "exportTdbsAsNdjson",
        summary: "All TDBs received on these days, a JSON object a line, newest first",
        description: `Each as the lists say it. ${right}`,
        produces: ["application/x-ndjson"],
        tags,
        params: dateRangeRules,
        querystring: tdbExportRules,
      },
    },
    async (request, reply) => {
      const { start, end } = request.params;
      const rows = await tdb.exportTdbs(request.context, { ...tdbListOf(request.query), start, end });
      return sendNdjson(reply, `tdbs-${start}-to-${end}.ndjson`, mapRows(rows, recordOf));
    },
  );
}
