import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { type GatewayProcess, startProcess } from "../support/process.ts";
import { release, someFiles } from "../shell/release.ts";

/** The gateways of the trials, and what has arrived there. */

export type Facility = { facilityUuid: string; facilityName: string; district: string; province: string };

/** A visit as the gateway stored it. */
export type Arrived = { userName: string; assessedAt: string };

export type Service = {
  url: string;
  /** serves another build of the client, over the same database */
  nextUrl: string;
  facilities: Facility[];
  /** the visits to a facility with these closing comments */
  arrived: (facilityUuid: string, comments: string) => Promise<Arrived[]>;
  /** Ends the session of these cookies at the server; the device is not informed. */
  endSession: (cookie: string) => Promise<void>;
  stop: () => Promise<void>;
};

const built = resolve("dist");

/** A gateway from a copy of the build, with another client, on the database of the first. */
async function startNext(folder: string, dataDir: string): Promise<GatewayProcess> {
  for (const name of ["gateway", "client"]) await cp(join(built, name), join(folder, name), { recursive: true });
  await release(join(built, "client"), join(folder, "client"), "Next", someFiles("Next", 20, 50_000));
  const [, , , , socket] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  const DATABASE_URL = `postgres://smartcare@/smartcare?host=${encodeURIComponent(socket!)}`;
  return startProcess({ DATABASE_URL, DATA_DIR: dataDir, DEMO: "0", LOG_FORMAT: "text" }, [
    join(folder, "gateway", "main.js"),
  ]);
}

async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/auth`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login: "admin", password: "demo-password" }),
  });
  if (!answer.ok) throw new Error(`The administrator could not sign in: ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0]!)
    .join("; ");
}

const facilitiesQuery =
  "{ facilities(first: 100) { nodes { facilityUuid facilityName district { name province { name } } } } }";
type Answer = {
  data: {
    facilities: {
      nodes: { facilityUuid: string; facilityName: string; district: { name: string; province: { name: string } } }[];
    };
  };
};

/** Starts the product with its demonstration, and beside it a gateway that serves another build. */
export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), "platform-trials-"));
  const copy = await mkdtemp(join(built, "next-"));
  const first = await startProcess({ DATA_DIR: dataDir, DEMO: "1" });
  const next = await startNext(copy, dataDir);
  const cookie = await signIn(first.url);
  const get = async (path: string) => (await fetch(first.url + path, { headers: { cookie } })).json();
  const response = await fetch(`${first.url}/graphql`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ query: facilitiesQuery }),
  });
  const { data } = (await response.json()) as Answer;
  const begun = Date.now();
  return {
    url: first.url,
    nextUrl: next.url,
    facilities: data.facilities.nodes.map(({ district: { name, province }, ...facility }) => ({
      ...facility,
      district: name,
      province: province.name,
    })),
    arrived: async (facilityUuid, comments) => {
      const list = (await get(`/api/v1/assessment/list/facility/${facilityUuid}?limit=100`)) as {
        uuid: string;
        userName: string;
        assessedAt: string;
        receivedAt: string;
      }[];
      const recent = list.filter(({ receivedAt }) => Date.parse(receivedAt) > begun - 60_000);
      const visits = await Promise.all(
        recent.map(async (one) => ({
          ...one,
          ...((await get(`/api/v1/assessment/${one.uuid}`)) as { closingComments: string }),
        })),
      );
      return visits
        .filter(({ closingComments }) => closingComments === comments)
        .map(({ userName, assessedAt }) => ({ userName, assessedAt }));
    },
    endSession: async (session) => {
      await fetch(`${first.url}/api/v1/auth/logout`, { headers: { cookie: session } });
    },
    stop: async () => {
      next.child.kill("SIGTERM");
      await next.ended;
      first.child.kill("SIGTERM");
      await first.ended;
      await rm(dataDir, { recursive: true, force: true });
      await rm(copy, { recursive: true, force: true });
    },
  };
}
