import { request } from "node:http";
import { setTimeout } from "node:timers/promises";

import { parse } from "csv-parse/sync";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";

import type { Place } from "./place.ts";
import { atMost, type Goal } from "./goals.ts";
import { middleOf } from "./middle.ts";
import { memoryOf, watchMemory } from "./processes.ts";
import { type Product, startProduct } from "./product.ts";
import { difference } from "./same.ts";
import type { Samples } from "./samples.ts";
import { figure } from "./table.ts";

/** The CSV of 100,000 TDBs compared with a bare COPY of the same columns. This process reads both to the end. */

const rounds = 5;

const copySql = ({ start, end }: Samples["tdbDays"]) => `copy (
  select t.uploaded_at::date as "Uploaded Date", to_char(t.uploaded_at, 'HH24:MI') as "Uploaded Time", f.facility_name as "Facility", d.name as "District",
    p.name as "Province", case when t.delta then 'Yes' else 'No' end as "Delta TDB", t.tdb_created_at::date as "Created", t.total_patients as "Clients",
    round(t.file_size / 1048576.0, 2)::float8 as "Size (MB)", u.first_name || ' ' || u.surname as "User", i.name as "IP", t.facility_uuid as "Facility UUID",
    t.tdb_uuid as "UUID", t.sha256 as "SHA-256", t.set_aside_reason as "Set aside", t.held as "Held"
  from tdb t join facility f using (facility_uuid) join district d using (district_id) join province p on p.province_id = f.province_id
  join app_user u on u.user_uuid = t.user_uuid left join implementing_partner i on i.implementing_partner_id = f.implementing_partner_id
  where t.uploaded_at >= '${start}' and t.uploaded_at < date '${end}' + 1
  order by t.uploaded_at desc, t.tdb_uuid desc) to stdout (format csv, header)`;

async function readAll(stream: AsyncIterable<Buffer>, keep: boolean): Promise<{ bytes: number; text: string }> {
  let bytes = 0;
  const kept: Buffer[] = [];
  for await (const piece of stream) {
    bytes += piece.length;
    if (keep) kept.push(piece);
  }
  return { bytes, text: Buffer.concat(kept).toString("utf8") };
}

function fetchCsv(product: Product, path: string, keep = false): Promise<{ bytes: number; text: string }> {
  const { headers } = product.asToken({ method: "GET", path });
  return new Promise((resolve, reject) => {
    request({ port: product.port, host: "127.0.0.1", path, headers }, (answer) => {
      if (answer.statusCode === 200) readAll(answer, keep).then(resolve, reject);
      else reject(new Error(`${path}: ${answer.statusCode}`));
    })
      .on("error", reject)
      .end();
  });
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
};

export async function measureCsv(place: Place, { tdbDays }: Samples): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  const client = new pg.Client({ ...place, options: "-c TimeZone=Africa/Lusaka" });
  await client.connect();
  try {
    const path = `/api/v1/tdb/meta/list/all/csv/${tdbDays.start}/${tdbDays.end}`;
    const copy = (keep = false) => readAll(client.query(copyTo(copySql(tdbDays))), keep);
    // A short one first: the memory that any first request takes does not count for the long one.
    await fetchCsv(product, `/api/v1/tdb/meta/list/all/csv/${tdbDays.end}/${tdbDays.end}`);
    await setTimeout(2000);
    const idle = memoryOf(product.pid);
    const stopWatching = watchMemory(product.pid);
    const sent = await fetchCsv(product, path, true);
    const peak = stopWatching();
    const options = { bom: true };
    const rows = parse(sent.text, options) as string[][];
    const differs = difference(rows, parse((await copy(true)).text, options));
    if (differs)
      return {
        goals: [
          { what: "CSV of TDBs", measured: "answers differ", wanted: "the same rows", reached: false, why: differs },
        ],
        text: "",
      };
    const times: { product: number; copy: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      times.push({ product: await timed(() => fetchCsv(product, path)), copy: await timed(() => copy()) });
    const [seconds, bare] = [middleOf(times.map((time) => time.product)), middleOf(times.map((time) => time.copy))];
    const mostMemory = memoryOf(product.pid);
    return {
      goals: [
        atMost("CSV: time of a bare COPY", seconds / bare, 1.3, " x"),
        atMost("CSV: memory over idle", peak - idle, 32, " MB"),
      ],
      text: `CSV of ${rows.length - 1} TDBs (${figure(sent.bytes / 1e6)} MB; --questions csv)
  product ${figure(seconds)} s, bare COPY of the same columns ${figure(bare)} s (the middle of ${rounds} each, in turn)
  memory of the gateway: idle ${figure(idle)} MB, at most ${figure(peak)} MB during the first, ${figure(mostMemory)} MB after ${rounds + 1}`,
    };
  } finally {
    await client.end();
    await product.stop();
  }
}
