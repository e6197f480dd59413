import { withThousands } from "./numbers.ts";

/** A figure, with its thousands set apart from five digits on. */
export function formatNumber(value: number): string {
  return value < 10_000 ? String(value) : withThousands(value);
}

/** How many of something: "1 district", "116 districts". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
