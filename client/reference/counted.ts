const figures = new Intl.NumberFormat("en", { useGrouping: "min2" });

/** A figure, with its thousands set apart from five digits on. */
export function formatNumber(value: number): string {
  return figures.format(value);
}

/** How many of something: "1 district", "116 districts". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
