import { Buffer } from "node:buffer";

import { Uint8ArrayWriter, TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

import type { Reading } from "../../gateway/registry/reading/reading.rules.ts";
import { type Answer, bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { cookiesOf } from "../support/tdbx.ts";

/** How lists of other systems are read before they are reviewed: formats, encodings, columns, codes, places, levels. */

const api = (path: string) => `/api/v1${path}`;
const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
type Fields = Record<string, string | number | object>;
type Made = { uuid: string; status: string; rows: number };

async function send(content: string | Buffer, fields: Fields = {}, name = "list.csv", person = admin): Promise<Answer> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields))
    form.append(field, typeof value === "object" ? JSON.stringify(value) : String(value));
  form.append("file", new File([new Uint8Array(Buffer.from(content))], name));
  const response = await fetch(gateway.url + api("/registry/import"), {
    method: "POST",
    body: form,
    headers: { cookie: cookiesOf(person) },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
const readingOf = async (uuid: string) =>
  bodyOf<{ reading: Reading }>(await admin.get(api(`/registry/import/${uuid}/reading`))).reading;
/** Sends a list to be read only, and answers what was read. */
async function read(content: string | Buffer, fields: Fields = {}, name?: string): Promise<Reading & { uuid: string }> {
  const sent = await send(content, { step: "read", ...fields }, name);
  expect(sent.status, sent.text).toBe(200);
  const { uuid, status } = bodyOf<Made>(sent);
  expect(status).toBe("read");
  return { uuid, ...(await readingOf(uuid)) };
}
type Row = { line: number; kind: string; facilityName: string; place: string; reason: string };
async function reviewed(content: string | Buffer, fields: Fields = {}, name?: string): Promise<Row[]> {
  const sent = await send(content, fields, name);
  expect(sent.status, sent.text).toBe(200);
  return bodyOf<Row[]>(await admin.get(api(`/registry/import/${bodyOf<Made>(sent).uuid}/rows`)));
}
const call = async <Data>(text: string, variables: object) => (await admin.graphql<Data>(text, variables)).data;

type Stored = { uuid: string; name: string; code: string; district: string; province: string };
let sites: [Stored, Stored];
/** A place whose name has a space. */
let spaced: { province: string; district: string };
beforeAll(async () => {
  const { rows } = await sql<Stored>`
    select facility_uuid as uuid, facility_name as name, hmis_code as code, d.name as district, p.name as province
    from facility f join district d using (district_id) join province p on p.province_id = d.province_id
    where hmis_code ~ '^[1-9][0-9]{5,}$' and f.closed_on is null and facility_name not like 'Twin%' order by facility_uuid limit 2`.execute(
    gateway.db,
  );
  sites = rows as [Stored, Stored];
  const found = await sql<{ province: string; district: string }>`
    select p.name as province, d.name as district from district d join province p using (province_id)
    where p.name = 'North Western' and d.closed_on is null order by d.name limit 1`.execute(gateway.db);
  spaced = found.rows[0]!;
});

const sheet = (rows: (string | number)[][]) =>
  `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows
    .map(
      (cells, index) =>
        `<row r="${index + 1}">${cells
          .map((cell, column) => {
            const at = `r="${String.fromCharCode(65 + column)}${index + 1}"`;
            if (cell === "") return "";
            return typeof cell === "number"
              ? `<c ${at}><v>${cell}</v></c>`
              : `<c ${at} t="inlineStr"><is><t>${cell.replaceAll("&", "&amp;")}</t></is></c>`;
          })
          .join("")}</row>`,
    )
    .join("")}</sheetData></worksheet>`;
async function workbook(sheets: Record<string, string>, parts: Record<string, string> = {}): Promise<Buffer> {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  const names = Object.keys(sheets);
  const add = (name: string, text: string) => zip.add(name, new TextReader(text), { useWebWorkers: false });
  const ns = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  await add(
    "xl/workbook.xml",
    `<workbook xmlns:r="${ns}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="r${index}"/>`).join("")}</sheets></workbook>`,
  );
  await add(
    "xl/_rels/workbook.xml.rels",
    `<Relationships>${names.map((_, index) => `<Relationship Id="r${index}" Target="worksheets/sheet${index}.xml"/>`).join("")}</Relationships>`,
  );
  for (const [index, name] of names.entries()) await add(`xl/worksheets/sheet${index}.xml`, sheets[name]!);
  for (const [name, text] of Object.entries(parts)) await add(name, text);
  return Buffer.from(await zip.close());
}

const mac = (text: string) =>
  Buffer.from([...text].map((letter) => ({ é: 0x8e, è: 0x8f, "’": 0xd5 })[letter] ?? letter.charCodeAt(0)));

test("every encoding and delimiter of spreadsheets, and titles above the headings, are read as the same list", async () => {
  const [one] = sites;
  const lines = [
    ["Site name", "Region", "Commune", "Facility Code"],
    ["Café d’Été", one.province, one.district, ""],
  ];
  const text = (delimiter: string) => lines.map((cells) => cells.join(delimiter)).join("\r\n");
  const wide = Buffer.from(`\uFEFF${text("\t")}`, "utf16le");
  const cases: [content: Buffer, expected: Partial<Reading>, name?: string][] = [
    [Buffer.from(text(",")), { encoding: "utf-8", isEncodingSure: true, delimiter: "," }],
    [Buffer.from(`\uFEFF${text(";")}`), { encoding: "utf-8", delimiter: ";" }],
    [Buffer.from(`sep=\t\r\n${text("\t")}`), { delimiter: "\t", headerLine: 2 }],
    [wide, { encoding: "utf-16le", isEncodingSure: true, delimiter: "\t" }],
    [Buffer.from(wide).swap16(), { encoding: "utf-16be", isEncodingSure: true, delimiter: "\t" }],
    [
      Buffer.from(text(";").replaceAll("’", "\x92"), "latin1"),
      { encoding: "windows-1252", isEncodingSure: false, delimiter: ";" },
    ],
    [mac(text(",").replaceAll("É", "é")), { encoding: "macintosh", isEncodingSure: false }],
    [Buffer.from(`Ministry of Health, list of 2026\r\n,\r\n${text(";")}`), { delimiter: ";", headerLine: 3 }],
    [
      await workbook({ "Read me": sheet([["About"], ["this list"]]), Sites: sheet(lines) }),
      { format: "xlsx", sheet: "Sites", sheets: ["Read me", "Sites"], encoding: null },
    ],
  ];
  const misread = lines.map((cells, index) => (index === 0 ? [`ï»¿${cells[0]!}`, ...cells.slice(1)] : cells));
  cases.push([await workbook({ Sites: sheet(misread) }), { format: "xlsx", encoding: null }]);
  for (const [content, expected] of cases) {
    const found = await read(content);
    expect(found).toMatchObject({ format: "csv", rows: 1, errorCount: 0, ...expected });
    expect(found.columns.map(({ field }) => field)).toEqual(["facilityName", "province", "district", "hmisCode"]);
    expect(found.columns[0]!.examples[0]).toMatch(/^Café d’[Éé]té$/);
  }
  expect((await read(Buffer.from("name\nCaf\x8e", "latin1"), { encoding: "macintosh" })).columns[0]!.examples).toEqual([
    "Café",
  ]);
});

test("columns with the headings of others are taken for fields, can be assigned, and the choices are remembered by source", async () => {
  const [one] = sites;
  const list = (rows: string[]) =>
    ["Unit,Zone,Facility Location / latitude,Facility Location / longitude,Woreda,Mfl no", ...rows].join("\n");
  const row = (name: string) => `${name},${one.province},-14.65,28.05,${one.district},99999004`;
  const first = await read(list([row("Trial Three"), "not stated,,,,,"]));
  expect(first.columns.map(({ heading, field, manner }) => [heading, field, manner])).toEqual([
    ["Unit", null, "leftOut"],
    ["Zone", null, "leftOut"],
    ["Facility Location / latitude", "latitude", "alike"],
    ["Facility Location / longitude", "longitude", "alike"],
    ["Woreda", null, "leftOut"],
    ["Mfl no", null, "leftOut"],
  ]);
  expect(first.errors).toEqual([
    { path: "row 1, facilityName", message: expect.stringContaining("no heading is one by which a facility is found") },
  ]);
  const chosen = {
    columns: [
      { heading: "Unit", field: "facilityName" },
      { heading: "Zone", field: "province" },
      { heading: "Woreda", field: "district" },
      { heading: "Mfl no", field: "hmisCode" },
    ],
    empty: ["Not stated"],
    source: "Woreda list",
  };
  const { readRegistryImport: again } = await call<{
    readRegistryImport: {
      errors: object[];
      review: { reading: { errorCount: number; source: string; empty: object[] } };
    };
  }>(
    "mutation ($input: ReadRegistryImportInput!) { readRegistryImport(input: $input) { errors { path message } review { reading { errorCount source empty { text rows } } } } }",
    { input: { uuid: first.uuid, ...chosen } },
  );
  expect(again).toEqual({
    errors: [],
    review: { reading: { errorCount: 0, source: "Woreda list", empty: [{ text: "not stated", rows: 1 }] } },
  });
  const { reviewRegistryImport: review } = await call<{ reviewRegistryImport: object }>(
    "mutation ($uuid: String!) { reviewRegistryImport(uuid: $uuid) { errors { path message } review { import { status rows } } } }",
    { uuid: first.uuid },
  );
  expect(review).toMatchObject({ errors: [], review: { import: { status: "READY" } } });
  const next = await read(list([row("Trial Four")]));
  expect([next.source, next.errorCount, next.columns.map(({ field }) => field)]).toEqual([
    "Woreda list",
    0,
    ["facilityName", "province", "latitude", "longitude", "district", "hmisCode"],
  ]);
  expect(errorsOf(await send(list([row("A")]), { columns: { Unit: "facilityNam", Nope: "province" } }))).toEqual([
    {
      path: "columns.Unit",
      message: expect.stringMatching(/^'facilityNam' is no field: one of facilityUuid, facilityName/),
    },
    { path: "columns.Nope", message: expect.stringMatching(/^is no column of the list: it has Unit, Zone/) },
  ]);
  expect(errorsOf(await send(list([row("A")]), { mapping: {} }))).toEqual([
    { path: "mapping", message: "is not a known key" },
  ]);
});

test("codes in the forms of spreadsheets and texts that count as empty are told with counts and examples", async () => {
  const [one] = sites;
  const row = (name: string, code: string) => `${name},${one.province},${one.district},${code}`;
  const list = [
    "Name of Facility,Region,District,Facility Code",
    ...["91000001.0", '="91000002"', "'91000003", "91\u200B000004", "N/A", "91000006"].map((code, index) =>
      row(`Form ${index}`, code),
    ),
  ];
  const found = await read(list.join("\n"));
  expect(found.codes).toEqual([
    { repair: "decimals", rows: 1, examples: [{ read: "91000001.0", taken: "91000001" }] },
    { repair: "formula", rows: 1, examples: [{ read: '="91000002"', taken: "91000002" }] },
    { repair: "apostrophe", rows: 1, examples: [{ read: "'91000003", taken: "91000003" }] },
    { repair: "invisible", rows: 1, examples: [{ read: "91\u200B000004", taken: "91000004" }] },
  ]);
  expect(found.empty).toEqual([{ text: "N/A", rows: 1 }]);
  const shortened = await read([...list, row("Lost", "9.1E+07")].join("\n"));
  expect([shortened.errorCount, shortened.errors[0]?.path, shortened.codes.at(-1)?.repair]).toEqual([
    1,
    "row 8, Facility Code",
    "shortened",
  ]);
  // The code that is lost can count as empty.
  expect((await read([...list, row("Lost", "9.1E+07")].join("\n"), { empty: ["9.1e+07"] })).errorCount).toBe(0);
});

test("spellings of places are read by their letters, or as chosen once for all rows", async () => {
  const list = [
    "name,province,district",
    `Spelling A,North-Western,${spaced.district}`,
    `Spelling B,NW Prov.,${spaced.district} District`,
    `Spelling C,NW Prov.,Lower ${spaced.district}`,
  ].join("\n");
  const found = await read(list);
  expect(found.places).toEqual([
    { province: "NW Prov.", district: null, rows: 2, means: null, manner: "unknown" },
    { province: "North-Western", district: null, rows: 1, means: "North Western", manner: "alike" },
  ]);
  const places = [
    { province: "NW Prov.", means: "North Western" },
    { province: "NW Prov.", district: `Lower ${spaced.district}`, means: spaced.district },
  ];
  expect((await read(list, { places: places.slice(0, 1) })).places[0]).toMatchObject({
    district: `Lower ${spaced.district}`,
    manner: "unknown",
  });
  const rows = await reviewed(list, { places });
  expect(rows.map(({ kind, place }) => [kind, place])).toEqual(
    Array.from({ length: 3 }, () => ["new", `${spaced.district}, North Western`]),
  );
});

test("organisation units as a tree, GeoJSON and FHIR are read as tables; a list of districts is told", async () => {
  const [one] = sites;
  const site = (id: string, name: string) => ({ id, name, code: `T${id}` });
  const tree = {
    organisationUnits: [
      {
        id: "aProvAAAAA1",
        name: `ab ${one.province} Province`,
        children: [
          {
            id: "aDistAAAAA1",
            name: `ab ${one.district} District`,
            children: [site("aFaciAAAAA1", "Alpha Tree"), site("aFaciAAAAA2", "Beta Tree")],
          },
        ],
      },
    ],
  };
  const found = await read(JSON.stringify(tree), {}, "tree.json");
  expect(found.levels.map(({ level, units, isChosen }) => [level, units, isChosen])).toEqual([
    [1, 1, false],
    [2, 1, false],
    [3, 2, true],
  ]);
  expect(
    (await reviewed(JSON.stringify(tree))).map(({ kind, facilityName, place }) => [kind, facilityName, place]),
  ).toEqual([
    ["new", "Alpha Tree", `${one.district}, ${one.province}`],
    ["new", "Beta Tree", `${one.district}, ${one.province}`],
  ]);
  const nested = {
    organisationUnits: [
      {
        ...site("aFaciAAAAA3", "Gamma"),
        parent: { id: "aDistAAAAA1", name: one.district, parent: { id: "aProvAAAAA1", name: one.province } },
      },
    ],
  };
  expect(await reviewed(JSON.stringify(nested))).toMatchObject([
    { kind: "new", place: `${one.district}, ${one.province}` },
  ]);
  expect((await read(JSON.stringify(tree), { level: 2 })).notes[0]).toBe(
    "1 of 1 names are those of provinces or districts: this looks like a list of places, not of facilities.",
  );
  const geo = {
    type: "FeatureCollection",
    features: [
      {
        type: "Feature",
        properties: { name: "Geo Clinic", "addr:district": one.district, region: one.province },
        geometry: { type: "Point", coordinates: [28.05, -14.65] },
      },
      { type: "Feature", properties: { name: "Geo Outline" }, geometry: { type: "Polygon", coordinates: [] } },
    ],
  };
  const points = await read(JSON.stringify(geo), {}, "sites.geojson");
  expect(points).toMatchObject({
    format: "geojson",
    rows: 2,
    notes: [
      "1 feature with an outline instead of a point: read without a position.",
      "1 of 2 rows name no district, which a new facility needs.",
    ],
  });
  expect(points.columns.map(({ field, examples }) => [field, examples[0]])).toEqual([
    ["facilityName", "Geo Clinic"],
    ["district", one.district],
    ["province", one.province],
    ["latitude", "-14.65"],
    ["longitude", "28.05"],
  ]);
  const bundle = await admin.get(api(`/fhir/Location?identifier=urn:zm:hmis|${one.code}`));
  expect(await reviewed(bundle.text, {}, "bundle.json")).toMatchObject([{ kind: "same", facilityName: one.name }]);
});

test("lists of other countries and systems are read on the first try", async () => {
  const [{ province, district }] = sites;
  const placed = (name: string) => [name, district, province];
  const columns = async (content: string | Buffer, fields = ["facilityName", "district", "province"]) => {
    const found = await read(content);
    expect(found.errors, String(content).slice(0, 200)).toEqual([]);
    return fields.map((field) => found.columns.find((column) => column.field === field)?.examples[0]);
  };
  const csv = (...rows: string[]) => rows.join("\n");
  const json = (content: object) => JSON.stringify(content);
  const unit = (name: string) => ({ id: "aFaciAAAAA9", name });
  const tree = {
    id: "aProvAAAAA9",
    name: province,
    children: [{ id: "aDistAAAAA9", name: district, children: [unit("Root")] }],
  };
  const cases: [string, string | Buffer][] = [
    ["Kenya", csv("Code,Name,County,Sub county,Ward", `1,Kenya,${province},${district},W`)],
    ["Liberia", csv("Facility Name,County,District", `Liberia,${province},${district}`)],
    ["Congo", csv("Pays,Province,Zone de santé,Formation sanitaire", `RDC,${province},${district},Congo`)],
    ["Moçambique", csv("Província;Distrito;Nome da Unidade Sanitária", `${province};${district};Moçambique`)],
    ["Pipes", csv("Name|Province|District", `Pipes|${province}|${district}`)],
    ["Two rows", csv("Facility Name,Code,Location,", ",,Province,District", `Two rows,,${province},${district}`)],
    ["Analytics", csv("orgunitlevel2,orgunitlevel3,organisationunitname", `${province},${district},Analytics`)],
    ["Root", json(tree)],
    ["Root", json([tree])],
    [
      "Ancestor",
      json({
        organisationUnits: [
          { ...unit("Ancestor"), ancestors: [province, district].map((name, id) => ({ id: `u${id}`, name })) },
        ],
      }),
    ],
    [
      "Absolute",
      json({
        resourceType: "Bundle",
        entry: [
          { id: "p", name: province },
          { id: "d", name: district, partOf: { reference: "http://a.example/fhir/Location/p" } },
          { id: "f", name: "Absolute", partOf: { reference: "http://a.example/fhir/Location/d/_history/2" } },
        ].map((one) => ({ resource: { resourceType: "Location", ...one } })),
      }),
    ],
    [
      "Merged 2",
      await workbook({
        Sites: sheet([
          ["List of 2026", "", ""],
          ["Name", "Location", ""],
          ["", "Province", "District"],
          ["Merged 2", province, district],
          ["Merged 3", "", ""],
        ]).replace(
          "</worksheet>",
          '<mergeCells><mergeCell ref="A2:A3"/><mergeCell ref="B4:B5"/><mergeCell ref="C4:C5"/></mergeCells></worksheet>',
        ),
      }),
    ],
  ];
  for (const [name, content] of cases) expect(await columns(content)).toEqual(placed(name));
  expect((await reviewed(cases.at(-1)![1])).map(({ place }) => place)).toEqual([
    `${district}, ${province}`,
    `${district}, ${province}`,
  ]);
  const uganda = csv("Subregion,District,NHFR ID,Health Facility,Level of Care", `East,${district},NH-1,Uganda,HC III`);
  expect(await columns(uganda, ["facilityName", "district", "hmisCode", "facilityType"])).toEqual([
    ...["Uganda", district, "NH-1", "HC III"],
  ]);
  const metadata = csv("name,id,parent,level,geometry,coordinates", 'Old DHIS2,aFaciAAAAA9,,1,,"[28.05,-14.65]"');
  expect(await columns(metadata, ["facilityName", "latitude", "longitude"])).toEqual(["Old DHIS2", "-14.65", "28.05"]);
  const node = { type: "node", id: 7, lat: -14.65, lon: 28.05, tags: { name: "Node", amenity: "clinic" } };
  const point = ["facilityName", "latitude", "longitude", "facilityUuid"];
  const expected = ["Node", "-14.65", "28.05", undefined];
  expect(await columns(json({ elements: [node] }), point)).toEqual(expected);
  // The uuid of healthsites.io is not the one of this registry.
  const properties = { name: "Node", osm_id: 7, uuid: "0a1b2c3d4e5f60718293a4b5c6d7e8f9" };
  const features = [{ properties, geometry: { type: "Point", coordinates: [28.05, -14.65] } }];
  expect(await columns(json({ type: "FeatureCollection", features }), point)).toEqual(expected);
  expect(await columns(csv("X,Y,osm_id,name,uuid", "28.05,-14.65,7,Node,0a1b"), point)).toEqual(expected);
});

test("characters that cannot be stored are told with their row, and in columns that are left out they do no harm", async () => {
  const [{ province, district }] = sites;
  const features = [
    { name: "Good", remark: "o\0dd" },
    { name: "N\0L", remark: "" },
    { name: "Half\uD800", remark: "" },
  ].map((own) => ({ type: "Feature", properties: { ...own, district, province }, geometry: null }));
  const list = (count: number) => JSON.stringify({ type: "FeatureCollection", features: features.slice(0, count) });
  const found = await read(list(3));
  expect(found.columns[1]!.examples).toEqual(["o\uFFFDdd"]);
  expect(found.errors).toEqual([
    { path: "row 3, name", message: expect.stringContaining("holds a NUL character") },
    { path: "row 4, name", message: expect.stringContaining("is not UTF-8") },
  ]);
  expect(await reviewed(list(1))).toMatchObject([{ kind: "new", facilityName: "Good" }]);
});

test("positions in degrees, minutes and seconds, missing ones, and codes that a workbook shows with zeros are read", async () => {
  const [{ province, district }] = sites;
  const rows = [
    ["Name", "Province", "District", "Latitude", "Longitude"],
    ["Seconds", province, district, `"14°39'00.0""S"`, `"28°03'00""E"`],
    ["Hemisphere", province, district, "14.65 S", "E 28.05°"],
    ["Comma", province, district, '"-14,65"', '"28,05"'],
    ["Missing", province, district, "N/A", "-"],
  ];
  const sent = await send(rows.map((cells) => cells.join(",")).join("\n"));
  const list = bodyOf<{ facilityName: string; changes: { field: string; proposed: string }[] }[]>(
    await admin.get(api(`/registry/import/${bodyOf<Made>(sent).uuid}/rows`)),
  );
  const positionOf = ({ changes }: (typeof list)[number]) =>
    changes.filter(({ field }) => field.endsWith("itude")).map(({ proposed }) => Number(proposed));
  expect(list.map(positionOf)).toEqual([[-14.65, 28.05], [-14.65, 28.05], [-14.65, 28.05], []]);
  const both = (...cells: string[]) => [
    "Name,Province,District,GPS (lat/long)",
    ...cells.map((cell, at) => `Both ${at},${province},${district},${cell}`),
  ];
  const together = await send(both('"-14.65, 28.05"', "28.05 E / 14.65 S", "n/a").join("\n"));
  const inOne = await admin.get(api(`/registry/import/${bodyOf<Made>(together).uuid}/rows`));
  expect(bodyOf<typeof list>(inOne).map(positionOf)).toEqual([[-14.65, 28.05], [-14.65, 28.05], []]);
  expect((await read(both("school").join("\n"))).errors).toEqual([
    { path: "row 2, GPS (lat/long)", message: expect.stringContaining("write them in two columns") },
  ]);
  const styles =
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="000000"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>';
  const zeros = await read(
    await workbook(
      {
        Codes: sheet([
          ["hmisCode", "name"],
          [123, "Zeros"],
        ]),
      },
      { "xl/styles.xml": styles },
    ),
  );
  expect(zeros.columns[0]!.examples).toEqual(["000123"]);
});

test.each<[string, () => Promise<Buffer> | Buffer, string, Fields?]>([
  [
    "a picture",
    () => Buffer.from("\x89PNG\r\n\x1A\n\0\0\0\rIHDR", "latin1"),
    "the file is no text: save the list as CSV",
  ],
  [
    "an old workbook",
    () => Buffer.from("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", "latin1"),
    "the file is an old workbook (.xls) or one with a password: save it as .xlsx without a password, or as CSV",
  ],
  [
    "another archive",
    () => Buffer.from("PK\x03\x04\x14\0\x06\0sheet", "latin1"),
    "the file is an archive, but no workbook of the form .xlsx: save the list as .xlsx or as CSV",
  ],
  [
    "a spreadsheet of OpenDocument",
    () => Buffer.from(`PK\x03\x04${"\0".repeat(26)}mimetypeapplication/vnd.oasis.opendocument.spreadsheet`, "latin1"),
    "the file is a spreadsheet of OpenDocument (.ods): save it as .xlsx or as CSV",
  ],
  [
    "a workbook that unpacks without end",
    () => workbook({ Bomb: `<worksheet><sheetData>${" ".repeat(40 * 1024 * 1024)}</sheetData></worksheet>` }),
    "the workbook unpacks to more than a list of facilities can need: save its sheet as CSV",
  ],
  [
    "a damaged workbook",
    () => workbook({ Odd: "<worksheet><sheetData><row></sheetData>" }),
    "the workbook is damaged (xl/worksheets/sheet0.xml: Unexpected close tag): open it, and save it again",
  ],
  [
    "other JSON",
    () => Buffer.from('{"sites": []}'),
    "the JSON is neither GeoJSON (FeatureCollection), nor DHIS2's organisationUnits, nor a FHIR Bundle: save the list as one of them, or as CSV",
  ],
  ["a web page", () => Buffer.from("<html><table>"), "the file is a web page or XML"],
  ["a PDF", () => Buffer.from("%PDF-1.7"), "the file is a PDF: ask for the list as a spreadsheet or as CSV"],
  ["a compressed file", () => Buffer.from([0x1f, 0x8b, 8]), "the file is compressed (.gz): unpack it first"],
  ["JSON that is cut off", () => Buffer.from('{"organisationUnits": ['), "is no JSON that can be read"],
])("%s is refused in one sentence that says what to do", async (_what, content, message) => {
  const refused = await send(await content(), { step: "read" });
  expect([refused.status, errorsOf(refused)]).toEqual([
    422,
    [{ path: "file", message: expect.stringContaining(message) }],
  ]);
});

test("the facilities' own CSV comes back unchanged", async () => {
  await sql`update facility set facility_name = '-Hope- Clinic' where facility_uuid = ${sites[1].uuid}`.execute(
    gateway.db,
  );
  const csv = await admin.get(api("/facility/csv"));
  expect(csv.status).toBe(200);
  expect(csv.text).toContain("'-Hope- Clinic");
  const excel = await fetch(gateway.url + api("/facility/csv?format=xlsx"), { headers: { cookie: cookiesOf(admin) } });
  for (const file of [csv.text, Buffer.from(await excel.arrayBuffer())])
    expect(new Set((await reviewed(file)).map(({ kind }) => kind))).toEqual(new Set(["same"]));
});

test("a list that was read waits for the review, and can be discarded until it was applied", async () => {
  const [one] = sites;
  const { uuid } = await read(`hmisCode,facilityType\n${one.code},Discarded Type`);
  const act = (what: string, body: object) => admin.call("POST", api(`/registry/import/${uuid}/${what}`), body);
  expect((await act("apply", {})).status).toBe(409);
  expect((await act("decisions", { decision: "accepted", all: true })).status).toBe(409);
  const plain = await gateway.as("viewer");
  expect((await plain.call("DELETE", api(`/registry/import/${uuid}`))).status).toBe(403);
  expect((await send("name\nA", { step: "read" }, "list.csv", plain)).status).toBe(403);
  expect((await admin.call("DELETE", api(`/registry/import/${uuid}`))).status).toBe(200);
  expect((await admin.get(api(`/registry/import/${uuid}`))).status).toBe(404);
  const left = await sql<{
    count: string;
  }>`select count(*) from registry_import_piece where import_uuid = ${uuid}`.execute(gateway.db);
  expect(left.rows[0]!.count).toBe(0);

  const sent = await send(`hmisCode,facilityType\n${one.code},Applied Type`);
  const path = api(`/registry/import/${bodyOf<Made>(sent).uuid}`);
  await admin.call("POST", `${path}/decisions`, { decision: "accepted", all: true });
  expect((await admin.call("POST", `${path}/apply`, {})).status).toBe(200);
  expect((await admin.call("DELETE", path)).status).toBe(409);
});

test("several imports on one site are reverted newest first", async () => {
  const [one] = sites;
  const typeOf = async () =>
    (
      await sql<{ type: string }>`select facility_type as type from facility where facility_uuid = ${one.uuid}`.execute(
        gateway.db,
      )
    ).rows[0]!.type;
  const before = await typeOf();
  const paths: string[] = [];
  for (const type of ["First Type", "Second Type"]) {
    const path = api(`/registry/import/${bodyOf<Made>(await send(`hmisCode,facilityType\n${one.code},${type}`)).uuid}`);
    await admin.call("POST", `${path}/decisions`, { decision: "accepted", all: true });
    expect((await admin.call("POST", `${path}/apply`, {})).status).toBe(200);
    paths.push(path);
  }
  expect((await admin.call("POST", `${paths[0]}/revert`, {})).status).toBe(409);
  expect((await admin.call("POST", `${paths[1]}/revert`, {})).status).toBe(200);
  expect(await typeOf()).toBe("First Type");
  expect((await admin.call("POST", `${paths[0]}/revert`, {})).status).toBe(200);
  expect(await typeOf()).toBe(before);
});
