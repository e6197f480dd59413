import { beforeAll, expect, test } from "vitest";

import { mostImportRows } from "../../gateway/registry/registryImport.rules.ts";
import { type Answer, bodyOf, errorsOf } from "../support/gateway.ts";
import { gatewayOfFile } from "../support/perFile.ts";

/**
 * Errors in imported lists of facilities are refused with row, column and value; doubtful values are listed in the
 * review. Nothing is imported by half.
 */

type Stored = { facilityUuid: string; facilityName: string; hmisCode: string; district: string; province: string };
let one: Stored;
let other: Stored;

async function send(csv: string | Buffer<ArrayBuffer>): Promise<Answer> {
  const response = await fetch(`${gateway.url}/api/v1/registry/import`, {
    method: "POST",
    body: csv,
    headers: {
      cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      "content-type": "text/csv",
    },
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as unknown };
}
const content = async () =>
  await gateway.sql<{ text: string }>`
    select to_jsonb(f)::text as text from facility f union all select to_jsonb(i)::text from facility_identifier i union all select to_jsonb(p)::text from province p
    union all select to_jsonb(d)::text from district d union all select to_jsonb(i)::text from registry_import i order by text`;

const gateway = await gatewayOfFile();
const admin = await gateway.as("admin");
beforeAll(async () => {
  [one, other] = (await gateway.sql<Stored>`
    select distinct on (p.province_id) facility_uuid, facility_name, hmis_code, d.name as district, p.name as province
    from facility f join district d using (district_id) join province p on p.province_id = d.province_id
    where hmis_code is not null and f.closed_on is null and facility_name not like 'Twin%' order by p.province_id, facility_uuid limit 2`) as [
    Stored,
    Stored,
  ];
});

const columns = [
  "uuid",
  "hmisCode",
  "name",
  "province",
  "district",
  "latitude",
  "longitude",
  "catchmentPopulation",
  "operationStatus",
  "dhis2Uid",
  "elmisCode",
  "ownership",
  "serviceAreas",
] as const;
type Cells = Partial<Record<(typeof columns)[number], string>>;
const written = (cells: Cells): string => columns.map((column) => cells[column] ?? "").join(",");

/** Cells with an error, and the column and message of that error. */
const faults: [cells: Cells, column: string, message: string][] = [
  [{ latitude: "north", longitude: "28" }, "latitude", "'north' is not a number (digits, with a point for decimals)"],
  [{ latitude: "-15", longitude: "1e1" }, "longitude", "'1e1' is not a number (digits, with a point for decimals)"],
  [{ catchmentPopulation: "Infinity" }, "catchmentPopulation", "'Infinity' is not a whole number from 0 (digits only)"],
  [{ latitude: "-91.5", longitude: "28" }, "latitude", "-91.5 is outside of -90 to 90"],
  [{ latitude: "-15", longitude: "181" }, "longitude", "181 is outside of -180 to 180"],
  [{ latitude: "-15" }, "longitude", "must be given or erased together with the other coordinate"],
  [{ longitude: "28" }, "latitude", "must be given or erased together with the other coordinate"],
  [{ catchmentPopulation: "1000000000" }, "catchmentPopulation", "1000000000 is more than 999999999"],
  [{ operationStatus: "Flooded" }, "operationStatus", "'Flooded' is none of Operational, Under Construction"],
  [{ hmisCode: "9".repeat(33) }, "hmisCode", `'${"9".repeat(33)}' is too long: at most 32 characters`],
  [{ uuid: "u".repeat(65) }, "uuid", `'${"u".repeat(40)}' is too long: at most 64 characters`],
  [{ name: "n".repeat(257) }, "name", `'${"n".repeat(40)}' is too long: at most 256 characters`],
  [{ dhis2Uid: "d".repeat(129) }, "dhis2Uid", `'${"d".repeat(40)}' is too long: at most 128 characters`],
  [{ ownership: "G\0RZ" }, "ownership", "'G\0RZ' holds a NUL character"],
  [{ ownership: "G\u0007RZ" }, "ownership", "'G\u0007RZ' holds a control character (U+0007)"],
  [{ ownership: "Caf\u{FFFD}" }, "ownership", "'Caf\u{FFFD}' is not UTF-8: save the file as CSV in UTF-8"],
  [{ name: "(erase)" }, "name", "cannot be erased by (erase)"],
  [{ uuid: "(erase)" }, "uuid", "cannot be erased by (erase)"],
  [{ elmisCode: "(ERASE)" }, "elmisCode", "cannot be erased by (erase)"],
  [{ district: "(erase)" }, "district", "cannot be erased by (erase)"],
  [{ province: "Lusaka" }, "district", "is empty while the province is given"],
  [
    { hmisCode: "9.9111E+07" },
    "hmisCode",
    "'9.9111E+07' was shortened by a spreadsheet, so the code is lost: make the column a text column, enter the code again and save the list",
  ],
  [
    { province: "p".repeat(129), district: "Lusaka" },
    "province",
    `'${"p".repeat(40)}' is too long: at most 128 characters`,
  ],
  [
    { province: "Lusaka", district: "d".repeat(129) },
    "district",
    `'${"d".repeat(40)}' is too long: at most 128 characters`,
  ],
  [{ elmisCode: "e".repeat(129) }, "elmisCode", `'${"e".repeat(40)}' is too long: at most 128 characters`],
  [{ serviceAreas: "ART\u0001" }, "serviceAreas", "'ART\u0001' holds a control character (U+0001)"],
];
/** Lines that cannot be read as a row of the table. */
const malformed: [line: string, message: string, column?: string][] = [
  [
    `${written({ name: "Wide" })},,x`,
    `has ${columns.length + 2} cells where the first line names ${columns.length} columns`,
  ],
  [
    written({ name: 'In"side' }),
    `'In': there is a quote (") within a cell that does not begin with one: quote the cell and double the quote`,
    "name",
  ],
  [
    written({ name: '"Quoted"after' }),
    `'Quoted': there is text after a closing quote ("): quotes within a quoted cell are doubled ("")`,
    "name",
  ],
];

test("5,000 rows with 29 kinds of errors are refused, each kind with row, column and value, and nothing is stored", async () => {
  const before = await content();
  const kinds = [
    ...faults.map(([cells]) => written({ hmisCode: "1", ...cells })),
    ...malformed.map(([line]) => line),
    written({ name: "Good Clinic" }),
    written({}),
  ];
  const lines = Array.from({ length: 5000 }, (_, index) => kinds[index % kinds.length]!);
  lines.push(`"Never closed,${written({})}`, written({ name: "Behind it" }));
  const refused = await send([columns.join(","), ...lines].join("\r\n"));
  expect(refused.status).toBe(422);
  const errors = errorsOf(refused);
  // The list of errors begins with one of each kind.
  const firsts = errors.slice(0, faults.length + malformed.length);
  faults.forEach(([, column, message], index) =>
    expect(firsts).toContainEqual({ path: `row ${index + 2}, ${column}`, message }),
  );
  malformed.forEach(([, message, column], index) =>
    expect(errors).toContainEqual({ path: `row ${faults.length + index + 2}${column ? `, ${column}` : ""}`, message }),
  );
  const open = `Never closed,${written({})} ${written({ name: "Behind it" })}`.slice(0, 40);
  expect(errors).toContainEqual({
    path: "row 5002, uuid",
    message: `'${open}': a quote (") opened in the row that begins here is never closed: nothing from here on was read`,
  });
  expect(errors.length).toBeLessThanOrEqual(350);
  expect(bodyOf<{ detail: string }>(refused).detail).toMatch(
    /^\d+ errors in the list: nothing was imported\. \d+ of them are named, at most 10 of each kind\.$/,
  );
  expect(await content()).toEqual(before);
});

test("a list with too many rows is refused, with its other errors first", async () => {
  const refused = await send(
    ["name,catchmentPopulation", ...Array.from({ length: mostImportRows + 1 }, () => "A,1"), "B,-1"].join("\n"),
  );
  expect([refused.status, errorsOf(refused)]).toEqual([
    422,
    [
      {
        path: `row ${mostImportRows + 3}, catchmentPopulation`,
        message: "'-1' is not a whole number from 0 (digits only)",
      },
      {
        path: "row 1",
        message: `the list has ${mostImportRows + 2} rows: at most ${mostImportRows} can be reviewed at a time`,
      },
    ],
  ]);
});

test.each<[string, string | Buffer<ArrayBuffer>, { path: string; message: string }[]]>([
  [
    "a repeated column",
    "name,facilityName\nA,B\n",
    [{ path: "row 1, facilityName", message: "means the same as column name: keep one" }],
  ],
  ["a missing column", "name,latitude\nA,1\n", [{ path: "row 1, longitude", message: "the file lacks this column" }]],
  [
    "a list without a column that identifies a facility",
    "ownership\nGRZ\n",
    [
      {
        path: "row 1, facilityName",
        message:
          "no heading is one by which a facility is found: name a column facilityName, hmisCode, facilityUuid or the system of another identifier",
      },
    ],
  ],
  [
    "an unclosed quote in the first line",
    '"name,province\nA,B\n',
    [{ path: "row 1", message: expect.stringContaining("is never closed") }],
  ],
  ["a list without rows", "name,province,district\n,,\n", [{ path: "row 1", message: "the list has no rows" }]],
  ["an empty file", "", [{ path: "row 1", message: "the list is empty: the first line must name the columns" }]],
])("%s is refused with a message that explains it", async (_what, csv, errors) => {
  const refused = await send(csv);
  expect([refused.status, errorsOf(refused)]).toEqual([422, errors]);
});

test("the review lists doubtful values by row, and marks the rows that cannot be accepted", async () => {
  const place = (stored: Stored): Cells => ({ province: stored.province, district: stored.district });
  await admin.call("PUT", `/api/v1/facility/identifiers/${other.facilityUuid}`, {
    identifiers: [
      { system: "hmis", value: other.hmisCode },
      { system: "elmis", value: "EL-TAKEN" },
    ],
  });
  const rows: Cells[] = [
    { ...place(one), name: "=HYPERLINK(1)" },
    { ...place(one), name: "Abroad Clinic", latitude: "51.5", longitude: "0.1" },
    { ...place(one), name: "Odd Uid Clinic", dhis2Uid: "not-a-uid" },
    { ...place(one), name: "Odd Area Clinic", serviceAreas: "ART;Juggling" },
    { name: "Nowhere Clinic", province: "Atlantis", district: "Deep" },
    { name: "Stray Clinic", province: one.province, district: other.district },
    { ...place(one), name: "Coded Clinic", hmisCode: "91000009" },
    { ...place(one), name: "Coded Twice Clinic", hmisCode: "91000009" },
    { ...place(one), name: "Shares Clinic", elmisCode: "EL-NEW" },
    { ...place(other), name: "Shares Too Clinic", elmisCode: "EL-NEW" },
    { ...place(one), name: "Same Name Clinic" },
    { ...place(one), name: "same  name clinic" },
    { hmisCode: one.hmisCode, elmisCode: "EL-TAKEN" },
    { ...place(one), name: "Ngwandela Café" },
  ];
  const lines = [
    `${columns.join(";")};shoeSize`,
    ...rows.map(
      (cells) =>
        `${written({ ...cells, serviceAreas: cells.serviceAreas === undefined ? "" : `"${cells.serviceAreas}"` }).replaceAll(",", ";")};44`,
    ),
    ";".repeat(columns.length),
  ];
  for (const csv of [Buffer.from(`\uFEFF${lines.join("\r\n")}`), Buffer.from(lines.join("\n"), "latin1")]) {
    const sent = await send(csv);
    expect([sent.status, bodyOf(sent).rows, bodyOf(sent).ignored], sent.text).toEqual([200, rows.length, ["shoeSize"]]);
    const reviewed = bodyOf<
      {
        line: number;
        kind: string;
        acceptable: boolean;
        facilityName: string;
        reason: string;
        warnings: { column: string; message: string }[];
      }[]
    >(await admin.get(`/api/v1/registry/import/${bodyOf(sent).uuid}/rows`));
    const brief = reviewed.map(({ line, kind, acceptable, reason, warnings }) => [
      line,
      kind,
      acceptable,
      [...warnings.map(({ column, message }) => `${column}: ${message}`), ...(kind === "new" ? [] : [reason])],
    ]);
    expect(brief).toEqual([
      [2, "new", true, ["name: '=HYPERLINK(1)' begins like a formula of a spreadsheet"]],
      [3, "new", true, ["latitude: 51.5, 0.1 is outside Zambia"]],
      [4, "new", true, ["dhis2Uid: 'not-a-uid' does not have the form of a DHIS2 UID: not taken"]],
      [5, "new", true, ["serviceAreas: 'Juggling' is no service area that is known: not taken"]],
      [6, "unknownPlace", false, ["province 'Atlantis' is not known; no stored facility is like it"]],
      [
        7,
        "unknownPlace",
        false,
        [
          `district '${other.district}' is not known in ${one.province}: it lies in ${other.province}; no stored facility is like it`,
        ],
      ],
      [8, "new", true, []],
      [9, "duplicate", false, ["HMIS code '91000009' is already in row 8"]],
      [10, "new", true, []],
      [
        11,
        "duplicate",
        true,
        [
          "row: eLMIS id 'EL-NEW' is already in row 10: not taken",
          "eLMIS id 'EL-NEW' is already in row 10; no stored facility is like it",
        ],
      ],
      [12, "new", true, []],
      [13, "duplicate", true, ["the same name and district as row 12"]],
      [
        14,
        "conflict",
        false,
        [
          `HMIS code ${one.hmisCode} is that of '${one.facilityName}' (${one.facilityUuid}); eLMIS id EL-TAKEN is that of '${other.facilityName}' (${other.facilityUuid})`,
        ],
      ],
      [15, "new", true, []],
    ]);
    expect(reviewed.at(-1)!.facilityName).toBe("Ngwandela Café");
  }
});
