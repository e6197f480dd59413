/**
 * A number with a separator for thousands: "1,234", "1,234.5". Without Intl.NumberFormat, because a browser takes longer
 * to create its first one than to draw a screen.
 */
export function formatNumber(value: number): string {
  const [whole = "", ...decimals] = String(value).split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...decimals].join(".");
}

/** How many of something: "1 district", "3,324 facilities". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
