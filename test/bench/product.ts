import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { type Server, startServer } from "./children.ts";
import type { Request } from "./connection.ts";
import { asker, password } from "./country.ts";
import { type Place, urlOf } from "./place.ts";

/** The product as in production (`npm start` with the address of a database), and its callers. */
export type Product = Server & {
  /** with the session of a person who signed in */
  asClient: (request: Request) => Request;
  /** with an access token */
  asToken: (request: Request) => Request;
};

/** @param keeps whether answers are kept and sent again; if not, each one is computed */
export async function startProduct(place: Place, { keeps = true } = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), "bench-files-"));
  await mkdir(join(dataDir, "files"));
  const server = await startServer("gateway/start.mjs", ["main"], {
    env: {
      NODE_ENV: "production",
      // As `npm start` does it.
      NODE_OPTIONS: "--max-semi-space-size=32 --max-old-space-size=1024",
      DATABASE_URL: urlOf(place),
      DATA_DIR: dataDir,
      PORT: "0",
      ...(keeps ? {} : { KEPT_ANSWERS_MB: "0" }),
      // All limits are on; this one is so high that the load does not reach it.
      TOKEN_REQUESTS: "1000000",
      TOKEN_SECONDS: "1",
    },
  });
  const call = async (path: string, body: object, cookie = "") => {
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const signedIn = await call("/api/v1/auth", { login: asker, password });
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  const expiryDate = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const made = await call(
    "/api/v1/token",
    { name: `bench ${process.pid}`, expiryDate, privileges: ["administrator"] },
    cookie,
  );
  const { token, uuid } = (await made.json()) as { token: string; uuid: string };
  const using = (header: Record<string, string>) => (request: Request) => ({
    ...request,
    headers: { ...request.headers, ...header },
  });
  return {
    ...server,
    asClient: using({ cookie }),
    asToken: using({ authorization: `Bearer ${token}` }),
    stop: async () => {
      await fetch(`http://127.0.0.1:${server.port}/api/v1/token/${uuid}`, { method: "DELETE", headers: { cookie } });
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
