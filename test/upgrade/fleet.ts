import { type GatewayProcess, startProcess } from "../support/process.ts";
import type { Proxy } from "./nginx.ts";

/** Gateways of two versions behind a load balancer that asks each for /readyz, or behind nginx. */

export type Version = "previous" | "this";
type Gateway = GatewayProcess & { version: Version; isReady: boolean };

export type Fleet = {
  /** The address for the next call: of a gateway that is ready, or of any if none is. */
  next: () => string;
  /** Starts one more. Returns its output if it did not start. */
  start: (version: Version) => Promise<string | undefined>;
  /** Ends the first one of a version, and waits for its end. Returns whether there was one. */
  end: (version: Version, signal: "SIGKILL" | "SIGTERM") => Promise<boolean>;
  count: (version: Version) => number;
  /** What the first one of a version answers to /readyz. */
  readiness: (version: Version) => Promise<string>;
  /**
   * What the gateways logged about a request, by its id. If there is nothing, the entries without an id: an earlier
   * version logged faults within GraphQL without one.
   */
  logOf: (requestId: string) => string[];
  stop: () => Promise<void>;
};

const lookEveryMs = 100;
type Entry = { requestId?: string; msg?: string; err?: { message: string; code?: string; stack?: string } };

/** The logged faults, by the request's id. */
function keepLog() {
  const lines = new Map<string, string[]>();
  return {
    linesOf: (requestId: string) => lines.get(requestId) ?? lines.get("") ?? [],
    take(version: Version, line: string) {
      let entry: Entry;
      try {
        entry = JSON.parse(line) as Entry;
      } catch {
        return;
      }
      const { requestId = "", msg, err } = entry;
      if (!err) return;
      const text = `${version} version: ${msg}: ${err.code ?? ""} ${err.stack ?? err.message}`;
      lines.set(requestId, [...(lines.get(requestId) ?? []), text]);
    },
  };
}

/** The output of a gateway that did not start, without the stacks of its log. */
const refusalOf = (output: string): string =>
  output
    .split("\n")
    .map((line) => {
      try {
        const { msg, err } = JSON.parse(line) as Entry;
        return `${msg}${err ? `: ${err.message}` : ""}`;
      } catch {
        return line;
      }
    })
    .join("\n");

/**
 * @param programs what Node.js runs for each version
 * @param proxy gets the list of gateways, and is the address for each call
 */
export function openFleet(programs: Record<Version, string[]>, settings: Record<string, string>, proxy?: Proxy): Fleet {
  let gateways: Gateway[] = [];
  const updateProxy = () => proxy?.pass(gateways.map(({ url }) => url));
  const log = keepLog();
  const look = async (gateway: Gateway) => {
    gateway.isReady = await fetch(`${gateway.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  };
  const timer = setInterval(() => gateways.forEach((gateway) => void look(gateway)), lookEveryMs);
  const first = (version: Version) => gateways.find((gateway) => gateway.version === version);
  const end: Fleet["end"] = async (version, signal) => {
    const gateway = first(version);
    if (!gateway) return false;
    gateway.child.kill(signal);
    await gateway.ended;
    gateways = gateways.filter((each) => each !== gateway);
    await updateProxy();
    return true;
  };
  return {
    next() {
      if (proxy) return proxy.url;
      const ready = gateways.filter(({ isReady }) => isReady);
      const choice = ready.length > 0 ? ready : gateways;
      return choice[Math.floor(Math.random() * choice.length)]?.url ?? "http://127.0.0.1:1";
    },
    async start(version) {
      try {
        const gateway: Gateway = {
          ...(await startProcess(settings, programs[version], (line) => log.take(version, line))),
          version,
          isReady: false,
        };
        await look(gateway);
        gateways.push(gateway);
        await updateProxy();
        return undefined;
      } catch (error) {
        return refusalOf((error as Error).message);
      }
    },
    end,
    count: (version) => gateways.filter((gateway) => gateway.version === version).length,
    async readiness(version) {
      const gateway = first(version);
      if (!gateway) return "none runs";
      const answer = await fetch(`${gateway.url}/readyz`);
      return `${answer.status} ${(await answer.text()).slice(0, 300)}`;
    },
    logOf: log.linesOf,
    async stop() {
      clearInterval(timer);
      await proxy?.stop();
      for (const { child, ended } of gateways) {
        child.kill("SIGKILL");
        await ended;
      }
    },
  };
}
