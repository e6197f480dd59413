import { resolve } from "node:path";

import { measureBytes } from "../shell/bytes.ts";
import { table } from "./table.ts";

/** What a cold visit of each screen fetches, as `npm run bytes` reports. */
export function screensTable(): string {
  const { screens, onDemand } = measureBytes(resolve("dist/client"));
  const rows = [...screens, ...onDemand.map((part) => ({ ...part, name: `on demand: ${part.name}` }))].map(
    ({ name, script, style }) => [
      name,
      script.gzip / 1000,
      script.brotli / 1000,
      style.gzip / 1000,
      style.brotli / 1000,
    ],
  );
  return `Bytes of each screen on a cold visit, kB (--questions bytes)\n${table(["", "script gzip", "brotli", "style gzip", "brotli"], rows)}`;
}
