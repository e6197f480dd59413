import { request } from "node:http";

import { createTdbx } from "../../gateway/tdb/tdbxSample.ts";
import type { Load } from "./children.ts";
import { requestOf } from "./compare.ts";
import type { Place } from "./place.ts";
import { atLeast, atMost, type Goal, notMeasured } from "./goals.ts";
import { middleOf } from "./middle.ts";
import { startNginx } from "./nginx.ts";
import { placeQuestions } from "./placeQuestions.ts";
import { memoryOf, watchMemory } from "./processes.ts";
import { startProduct } from "./product.ts";
import type { Samples } from "./samples.ts";
import { figure } from "./table.ts";

/**
 * Receiving a big TDB: stored, hashed, inspected and recorded, compared with nginx that stores and syncs it; and how
 * long others wait meanwhile.
 */

const megabytes = 256;
const rounds = 4;
/** Others: people who look at the facility list now and then. */
const people = { connections: 16, pauseMs: 100, seconds: 10 };

type Sent = { method: "POST" | "PUT"; path: string; port: number; headers: Record<string, string>; parts: Buffer[] };

/** Sends a body that is in memory. @returns the status */
function send({ method, path, port, headers, parts }: Sent): Promise<number> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Promise((resolve, reject) => {
    const call = request(
      { method, path, port, host: "127.0.0.1", headers: { ...headers, "content-length": length } },
      (answer) => {
        answer.resume();
        answer.on("end", () => resolve(answer.statusCode ?? 0));
      },
    ).on("error", reject);
    void (async () => {
      for (const part of parts)
        for (let at = 0; at < part.length; at += 1_048_576)
          if (!call.write(part.subarray(at, at + 1_048_576))) await new Promise((go) => call.once("drain", go));
      call.end();
    })();
  });
}

const boundary = "bench-boundary";
const form = (file: Buffer): Buffer[] => [
  Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="bench.tdbx"\r\ncontent-type: application/octet-stream\r\n\r\n`,
  ),
  file,
  Buffer.from(`\r\n--${boundary}--\r\n`),
];

export async function measureUpload(
  place: Place,
  samples: Samples,
  load: Load,
): Promise<{ goals: Goal[]; text: string }> {
  const product = await startProduct(place);
  const receiver = await startProduct(place);
  const nginx = await startNginx();
  let made = 0;
  const makeFile = (size: number): Buffer => {
    const createdAt = new Date(Date.now() - (made += 1) * 1000).toISOString();
    const facility = { uuid: samples.facilityUuids[made % samples.facilityUuids.length]! };
    return createTdbx({ format: "tdbx/1", facility, createdAt, delta: false, totalPatients: 500 }, size * 1_000_000);
  };
  const upload = async ({ size = megabytes, to = product } = {}) => {
    const file = makeFile(size);
    const { headers = {} } = to.asClient({ method: "POST", path: "/api/v1/tdb" });
    const begun = performance.now();
    const status = await send({
      method: "POST",
      path: "/api/v1/tdb",
      port: to.port,
      headers: { ...headers, "content-type": `multipart/form-data; boundary=${boundary}` },
      parts: form(file),
    });
    if (status !== 200) throw new Error(`An upload was answered ${status}`);
    return size / ((performance.now() - begun) / 1000);
  };
  const put = async () => {
    const parts = [makeFile(megabytes)];
    const begun = performance.now();
    const name = `file-${(made += 1)}`;
    const status = await send({ method: "PUT", path: `/${name}`, port: nginx!.port, headers: {}, parts });
    if (status !== 201) throw new Error(`nginx answered ${status}`);
    await nginx!.sync(name);
    return megabytes / ((performance.now() - begun) / 1000);
  };
  try {
    await upload({ size: 1 });
    const idle = memoryOf(product.pid);
    const stopWatching = watchMemory(product.pid);
    const speeds: { product: number; nginx: number }[] = [];
    for (let round = 0; round < rounds; round += 1)
      speeds.push({ product: await upload(), nginx: nginx ? await put() : Number.NaN });
    const peak = stopWatching();
    const [own, plain] = [middleOf(speeds.map((speed) => speed.product)), middleOf(speeds.map((speed) => speed.nginx))];

    const [list] = placeQuestions;
    const requests = list!.operations(samples).map((operation) => requestOf(product, list!, operation));
    const others = () => load.run({ port: product.port, requests, ...people, warmSeconds: 2 });
    /** How long others wait while files are sent one after another. */
    const whileSending = async (sendOne: () => Promise<unknown>) => {
      const phase = { isOver: false };
      const served = others().finally(() => (phase.isOver = true));
      let files = 0;
      for (; !phase.isOver; files += 1) await sendOne();
      return { ...(await served), files };
    };
    const alone = await others();
    const beside = await whileSending(upload);
    const besideReceiver = await whileSending(() => upload({ to: receiver }));
    const besideNginx = nginx && (await whileSending(put));
    const speedOf = "upload with hash: speed of nginx's receipt with fsync";
    return {
      goals: [
        nginx
          ? atLeast(speedOf, own / plain, 0.9, " x")
          : notMeasured(speedOf, "0.9 x or more", "nginx (with its DAV module) is not installed"),
        atMost(
          "upload: p99 of others meanwhile",
          beside.p99 / alone.p99,
          1.5,
          " x",
          besideNginx ? `${figure(besideNginx.p99 / alone.p99)} x while nginx receives them` : "",
        ),
      ],
      text: `Upload of ${megabytes} MB, by multipart, hashed and inspected (--questions upload; the middle of ${rounds}, in turn)
  product ${figure(own)} MB/s${nginx ? `, nginx that only stores, and then syncs, ${figure(plain)} MB/s` : ""}; memory idle ${figure(idle)} MB, at most ${figure(peak)} MB
  the facility list for ${people.connections} people who ask again after ${people.pauseMs} ms: p50 ${figure(alone.p50)} ms, p99 ${figure(alone.p99)} ms;
  beside ${beside.files} uploads one after another: p50 ${figure(beside.p50)} ms, p99 ${figure(beside.p99)} ms; ${alone.errors + beside.errors + besideReceiver.errors} errors;
  while a second gateway receives ${besideReceiver.files} such files instead: p50 ${figure(besideReceiver.p50)} ms, p99 ${figure(besideReceiver.p99)} ms${
    besideNginx
      ? `;
  while nginx receives ${besideNginx.files} such files instead: p50 ${figure(besideNginx.p50)} ms, p99 ${figure(besideNginx.p99)} ms`
      : ""
  }`,
    };
  } finally {
    await nginx?.stop();
    await receiver.stop();
    await product.stop();
  }
}
