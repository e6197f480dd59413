import { z } from "zod";

import { lineForm } from "./identity.rules.ts";
import { flagTexts, isTextOf, type ListParameter, wantedText } from "./listParameters.rules.ts";

/** The zod rule of a list's parameter in a REST query. */
export function queryRuleOf(parameter: ListParameter) {
  const { kind, about } = parameter;
  const wanted = wantedText[kind](parameter);
  const named =
    kind === "flag" ? flagTexts(parameter) : kind === "choice" ? Object.keys(parameter.choices ?? {}) : undefined;
  const rule: z.ZodType<string, string> = named
    ? z.enum(named as [string, ...string[]], wanted)
    : z
        .string()
        .overwrite(lineForm)
        .refine((text) => isTextOf(parameter, text), wanted);
  return rule.optional().describe(about);
}

/** The zod rules of a whole catalogue. */
export const queryShapeOf = <Name extends string>(parameters: Readonly<Record<Name, ListParameter>>) =>
  Object.fromEntries(
    Object.entries<ListParameter>(parameters).map(([name, parameter]) => [name, queryRuleOf(parameter)]),
  ) as Record<Name, ReturnType<typeof queryRuleOf>>;

/**
 * The zod rule for the order of a list: one of these keys, with a minus for descending. `usual`: the description of the
 * default order.
 */
export function sortRuleOf<By extends string>(keys: readonly By[], usual: string) {
  type Order = By | `-${By}`;
  const sorts = keys.flatMap((by): Order[] => [by, `-${by}`]) as [Order, ...Order[]];
  return z
    .enum(sorts, `must be one of ${sorts.join(", ")}`)
    .optional()
    .describe(`The order, falling with a minus. ${usual}`);
}
