import type { Place } from "./place.ts";
import { atMost, type Goal } from "./goals.ts";
import { memoryOf } from "./processes.ts";
import { startProduct } from "./product.ts";
import { figure } from "./table.ts";

const times = 3;

/** How long `npm start` takes on this database, from the start of the process until it serves. */
export async function measureStart(place: Place): Promise<{ goals: Goal[]; text: string }> {
  const starts: number[] = [];
  let memory = Number.NaN;
  for (let index = 0; index < times; index += 1) {
    const product = await startProduct(place);
    starts.push(product.startMs / 1000);
    memory = memoryOf(product.pid);
    await product.stop();
  }
  return {
    goals: [atMost("start", Math.max(...starts), 3, " s")],
    text: `Start as in production (--questions start)\n  ${starts.map(figure).join(", ")} s until it served; then ${figure(memory)} MB of memory`,
  };
}
