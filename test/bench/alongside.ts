import { type Load, startLoad } from "./children.ts";
import { requestOf, visitorRequest } from "./compare.ts";
import { atLeast, type Goal, notMeasured } from "./goals.ts";
import { type Figures, measure, type Meter, warmUp } from "./measure.ts";
import type { Peer } from "./peer.ts";
import type { Product } from "./product.ts";
import type { Question } from "./questions.ts";
import { saveQuestions } from "./saveQuestions.ts";
import type { Samples } from "./samples.ts";
import { figure, table } from "./table.ts";

/**
 * Repeated reads while others save. A save outdates kept answers about assessments; one that changes a facility's
 * present mode also outdates those about facilities.
 */

const connections = 16;
/** Saves a second: as many people each save once a second. The goal is measured at the last rate. */
const rates = [1, 10];
const times = 4;

type Row = { question: Question; saves: number; product: Figures; other: Figures | null };

/** The figures of one answerer while people save. */
async function besideSaves(
  meter: Meter,
  saving: Load,
  product: Product,
  { samples, saves }: { samples: Samples; saves: number },
  measurement: Parameters<typeof measure>,
): Promise<Figures> {
  const [save] = saveQuestions;
  const requests = save!.operations(samples).map((operation) => requestOf(product, save!, operation));
  const written = saving.run({
    port: product.port,
    requests,
    connections: saves,
    warmSeconds: 0,
    seconds: meter.seconds + 1,
    pauseMs: 1000,
  });
  const figures = await measure(...measurement);
  const { errors, error } = await written;
  return { ...figures, errors: figures.errors + errors, error: figures.error ?? error };
}

export async function askAlongside(
  meter: Meter,
  questions: Question[],
  { samples, product, postgraphile }: { samples: Samples; product: Product; postgraphile: Peer | undefined },
): Promise<{ goals: Goal[]; text: string }> {
  const saving = startLoad();
  const rows: Row[] = [];
  try {
    for (const question of questions) {
      const operations = question.operations(samples);
      const own = operations.map((operation) => requestOf(product, question, operation));
      const theirs =
        postgraphile && operations.every((operation) => operation.postgraphile)
          ? operations.map((operation) => visitorRequest(postgraphile, operation))
          : undefined;
      await warmUp(meter, product, own);
      if (theirs) await warmUp(meter, postgraphile!, theirs);
      for (const saves of rates) {
        const beside = (answerer: Product | Peer, requests: typeof own) =>
          besideSaves(meter, saving, product, { samples, saves }, [meter, answerer, { requests, connections }]);
        rows.push({
          question,
          saves,
          product: await beside(product, own),
          other: theirs ? await beside(postgraphile!, theirs) : null,
        });
      }
    }
  } finally {
    await saving.stop();
  }
  const goals = rows
    .filter(({ saves }) => saves === rates.at(-1))
    .map(({ question, saves, product: own, other }): Goal => {
      const what = `${question.name}, with ${saves} saves a second: speed of PostGraphile`;
      return other
        ? atLeast(
            what,
            own.perSecond / other.perSecond,
            times,
            " x",
            `CPU ms a request with PostgreSQL's: ${figure(own.cpu)} + ${figure(own.cpuOfPostgres)} against ${figure(other.cpu)} + ${figure(other.cpuOfPostgres)}`,
          )
        : notMeasured(what, `${times} x or more`, "no counterpart there");
    });
  const line = (name: string, { question, saves }: Row, figures: Figures, ratio: number) => [
    name,
    question.name,
    String(saves),
    ratio,
    figures.perSecond,
    figures.p50,
    figures.p99,
    figures.cpu,
    figures.cpuOfPostgres,
    String(figures.errors),
  ];
  const lines = rows.flatMap((row) => [
    line("product", row, row.product, row.other ? row.product.perSecond / row.other.perSecond : Number.NaN),
    ...(row.other ? [line("PostGraphile", row, row.other, 1)] : []),
  ]);
  const found = rows.flatMap(({ product: own, other }) => [own.error, other?.error]).find(Boolean);
  return {
    goals,
    text: `Repeated reads of ${connections} connections while others save (--questions alongside)\n${table(["", "question", "saves/s", "x PG5", "req/s", "p50 ms", "p99 ms", "CPU ms/req", "PostgreSQL ms/req", "errors"], lines)}${found ? `\n  the first error: ${found}` : ""}`,
  };
}
