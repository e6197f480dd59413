import { parseArgs } from "node:util";

import { type Variant, variants } from "./variants.ts";

export type Options = { variants: Variant[]; trials: number; atOnce: number; seed: number; from: number };

export const help = `npm run kill-trials -- [options]

  --variants plain,expired,…  ${Object.keys(variants).join(", ")}; without it all of them
  --trials 20                 of each
  --at-once 4                 side by side, each in a browser of its own
  --seed 1                    the same one has the same trials, whatever runs beside them
  --from 0                    begins with this trial: to look at one again`;

/** The options of the command line, or a text if something is wrong with them. */
export function readOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        variants: { type: "string", default: Object.keys(variants).join(",") },
        trials: { type: "string", default: "20" },
        "at-once": { type: "string", default: "4" },
        seed: { type: "string", default: "1" },
        from: { type: "string", default: "0" },
      },
    });
    const chosen = values.variants.split(",");
    const unknown = chosen.filter((name) => !(name in variants));
    if (unknown.length > 0) return `--variants: there is no ${unknown.join(", ")}.`;
    const [trials, atOnce, seed, from] = [values.trials, values["at-once"], values.seed, values.from].map(Number);
    if (![trials, atOnce, seed, from].every((number) => Number.isInteger(number) && number! >= 0) || atOnce === 0)
      return "Trials are counted in whole numbers.";
    return { variants: chosen as Variant[], trials: trials!, atOnce: atOnce!, seed: seed!, from: from! };
  } catch (error) {
    return (error as Error).message;
  }
}
