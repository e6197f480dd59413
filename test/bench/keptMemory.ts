import type { Load } from "./children.ts";
import type { Place } from "./place.ts";
import { atMost, type Goal } from "./goals.ts";
import { memoryOf } from "./processes.ts";
import { startProduct } from "./product.ts";
import { adHocRequest } from "./questions.ts";
import { figure } from "./table.ts";

/** More different answers than may be kept: the memory for them must stay bounded, and so must the process's. */

const mostMegabytes = 128;
const query = `query ($offset: Int!, $sort: FacilitySort!) { facilities(first: 100, offset: $offset, sort: $sort) { nodes { id facilityUuid facilityName hmisCode facilityType
  facilityOwner latitude longitude functionalityStatusMode district { id name } province { id name } implementingPartner { implementingPartner } } } }`;
const sorts = ["NAME_ASC", "NAME_DESC", "HMIS_CODE_ASC", "HMIS_CODE_DESC"];
const pages = 3000;
/**
 * Each is requested twice, with this many others between: answers that are requested once only get a part of the room.
 */
const later = 100;

/** The value of a gauge of the product. */
async function gauge(port: number, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)`, "m").exec(text)?.[1] ?? Number.NaN);
}

export async function measureKept(place: Place, load: Load, seconds: number): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  try {
    const each = sorts.flatMap((sort) =>
      Array.from({ length: pages }, (_, offset) => product.asToken(adHocRequest(query, { offset, sort }))),
    );
    const requests = each.flatMap((_, at) =>
      at % later === 0 ? [...each.slice(at, at + later), ...each.slice(at, at + later)] : [],
    );
    const before = memoryOf(product.pid);
    const {
      requests: sent,
      errors,
      error,
    } = await load.run({ port: product.port, requests, connections: 16, warmSeconds: 0, seconds });
    const distinct = Math.floor(sent / 2);
    const bytes = (await gauge(product.port, "platform_kept_answer_bytes")) / 1e6;
    const answers = await gauge(product.port, "platform_kept_answers");
    return {
      goals: [
        atMost(
          "memory for kept answers",
          bytes,
          mostMegabytes,
          " MB",
          errors > 0 ? (error ?? "") : `${answers} answers, after ${distinct} different ones`,
        ),
      ],
      text: `Kept answers (--questions kept)\n  after ${distinct} different answers, each asked for twice: ${answers} kept in ${figure(bytes)} MB; memory of the gateway ${figure(before)} MB before, ${figure(memoryOf(product.pid))} MB after; ${errors} errors`,
    };
  } finally {
    await product.stop();
  }
}
