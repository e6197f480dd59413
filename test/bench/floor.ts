import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import pg from "pg";

import type { FloorQuestion } from "./questions.ts";

/**
 * The floor, in a process of its own: plain `node:http`, and for each question one named prepared statement whose SQL
 * returns the finished JSON as text. No sign-in, no rights, no limits, no audit. `floor.js <address> <file>`: the file
 * names the statements.
 */

const [address, file] = process.argv.slice(2);
const statements = new Map(
  (JSON.parse(readFileSync(file!, "utf8")) as FloorQuestion[]).map(({ name, sql }) => [name, sql]),
);
const pool = new pg.Pool({
  connectionString: address!,
  max: 10,
  options: "-c TimeZone=Africa/Lusaka -c pg_trgm.word_similarity_threshold=0.5",
});

async function answer(path: string): Promise<string> {
  const [name = "", values = ""] = path.slice(1).split("?");
  const { rows } = await pool.query<string[]>({
    name,
    text: statements.get(name)!,
    values: JSON.parse(decodeURIComponent(values)) as unknown[],
    rowMode: "array",
  });
  return rows[0]![0]!;
}

const server = createServer((request, response) => {
  answer(request.url!).then(
    (text) => {
      response.writeHead(200, {
        "content-type": "application/json; charset=utf-8",
        "content-length": Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    },
  );
});
server.listen(0, "127.0.0.1", () =>
  console.log(`Serving on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
process.on("SIGTERM", () => process.exit(0));
