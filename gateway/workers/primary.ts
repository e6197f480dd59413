import cluster, { type Worker } from "node:cluster";
import { setTimeout } from "node:timers/promises";

import type { FastifyBaseLogger } from "fastify";
import { AggregatorRegistry, collectDefaultMetrics, Gauge, Registry } from "prom-client";

import type { Figures } from "../http/metrics.ts";
import type { FromWorker, ToWorker } from "./worker.ts";

/** Starts the workers of a gateway, which share its port, and keeps as many running. */

type Member = {
  worker: Worker;
  /** Its address. @throws Error if it ends before it serves */
  serving: Promise<string>;
  /** Why it ended. */
  ended: Promise<string>;
  /** the primary told it to end */
  isLeaving: boolean;
};

export type Workers = { address: string; restart: () => void; stop: () => Promise<void> };

/** A worker that ends sooner could not really work: the next one waits, longer each time. */
const settledMs = 10_000;
const mostPauseMs = 30_000;
/** A worker that gives no figures for so long is counted by its last ones. */
const figuresMs = 2000;

function send({ worker }: Member, message: ToWorker): void {
  if (worker.isConnected()) worker.send(message);
}

/**
 * node:cluster hands a worker one connection at a time. If the worker is killed before it has taken that one, nobody
 * would ever close it, and its caller would wait for ever: here it is closed.
 */
function closeUntaken({ process: child }: Worker): void {
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  let handed: { close?: () => void } | undefined;
  child.send = (...args: unknown[]) => {
    handed = (args[1] as typeof handed) ?? handed;
    return send(...args);
  };
  child.once("exit", () => handed?.close?.());
}

const isCount = ({ type }: { type: unknown }): boolean => ["counter", "histogram"].includes(String(type));

/**
 * The sum of all workers' figures and of this process's own. What ended workers have counted stays in it, so that no
 * counter goes down.
 */
function openSum(members: ReadonlySet<Member>, recountsLeft: () => number) {
  const own = new Registry();
  const left = new Gauge({ name: "platform_recounts_left", help: "Those that wait for the primary", registers: [own] });
  collectDefaultMetrics({ register: own });
  const last = new Map<Worker, Figures>();
  const given = new Map<Worker, () => void>();
  let ofEnded = Promise.resolve<Figures>([]);
  let reading: Promise<string> | undefined;

  async function ask(member: Member): Promise<void> {
    const answer = new Promise<void>((resolve) => given.set(member.worker, resolve));
    send(member, "give figures");
    await Promise.race([answer, setTimeout(figuresMs, undefined, { ref: false })]);
  }
  async function read(): Promise<string> {
    await Promise.all([...members].map(ask));
    left.set(recountsLeft());
    // Of this process itself only memory and CPU: it answers nothing, and would lower the mean delay of event loops.
    const ownFigures = (await own.getMetricsAsJSON()).filter(({ name }) => !name.startsWith("nodejs_"));
    return AggregatorRegistry.aggregate([...last.values(), await ofEnded, ownFigures]).metrics();
  }
  return {
    note(worker: Worker, figures: Figures): void {
      last.set(worker, figures);
      given.get(worker)?.();
    },
    forget(worker: Worker): void {
      const counts = last.get(worker)?.filter(isCount) ?? [];
      last.delete(worker);
      given.get(worker)?.();
      given.delete(worker);
      ofEnded = ofEnded.then((former) => AggregatorRegistry.aggregate([former, counts]).getMetricsAsJSON());
    },
    read: () => (reading ??= read().finally(() => (reading = undefined))),
  };
}

type Options = {
  /** the built worker.ts */
  program: string;
  count: number;
  /** the settings of the workers that differ from those of this process */
  environment: Record<string, string>;
  log: FastifyBaseLogger;
  recountsLeft: () => number;
};

/** Starts the workers. @throws Error if one of them does not begin to serve */
export async function startWorkers({ program, count, environment, log, recountsLeft }: Options): Promise<Workers> {
  cluster.setupPrimary({ exec: program, args: [] });
  const members = new Set<Member>();
  const sum = openSum(members, recountsLeft);
  let isStopping = false;

  function begin(): Member {
    const worker = cluster.fork(environment);
    closeUntaken(worker);
    const ended = new Promise<string>((resolve) => {
      worker.once("exit", (code, signal) => resolve(signal ?? `code ${code}`));
    });
    const serving = new Promise<string>((resolve, reject) => {
      worker.on("message", (message: FromWorker) => {
        if (message === "want sum") void sum.read().then((text) => send(member, { sum: text }));
        else if ("figures" in message) sum.note(worker, message.figures);
        else resolve(message.serving);
      });
      void ended.then((reason) => reject(new Error(`A worker ended before it served (${reason}).`)));
    });
    serving.catch(() => {});
    // A message to a worker that ends meanwhile.
    worker.on("error", (err) => log.warn({ err }, "A worker could not be told"));
    const member: Member = { worker, serving, ended, isLeaving: false };
    members.add(member);
    void ended.then(() => {
      members.delete(member);
      sum.forget(worker);
    });
    return member;
  }

  /** Starts another worker when this one ends, and so on, until one is told to end. */
  async function keep(first: Member): Promise<void> {
    let tries = 0;
    for (let member = first; ; member = begin()) {
      const begun = Date.now();
      const reason = await member.ended;
      if (member.isLeaving || isStopping) return;
      tries = Date.now() - begun < settledMs ? tries + 1 : 0;
      const pauseMs = tries === 0 ? 0 : Math.min(mostPauseMs, 100 * 2 ** tries);
      log.error({ worker: member.worker.process.pid, reason, pauseMs }, "A worker ended, and another one is started");
      await setTimeout(pauseMs, undefined, { ref: false });
      if (isStopping) return;
    }
  }

  let turning: Promise<void> | undefined;
  /** Replaces each worker by a new one, which serves before the old one leaves. */
  async function restartInTurn(): Promise<void> {
    for (const old of [...members]) {
      const next = begin();
      try {
        await next.serving;
      } catch (err) {
        log.error({ err }, "The other workers are not restarted");
        return;
      }
      void keep(next);
      old.isLeaving = true;
      send(old, "leave");
      await old.ended;
    }
    log.info({ workers: members.size }, "All workers were restarted");
  }

  const first = Array.from({ length: count }, begin);
  const [address] = await Promise.all(first.map(({ serving }) => serving));
  for (const member of first) void keep(member);
  return {
    address: address!,
    restart() {
      turning ??= restartInTurn().finally(() => (turning = undefined));
    },
    stop: async () => {
      isStopping = true;
      const all = [...members];
      for (const { worker } of all) worker.process.kill("SIGTERM");
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
