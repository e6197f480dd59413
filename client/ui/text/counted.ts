/**
 * A whole number with a separator for thousands: "1,234". Without Intl.NumberFormat, because a browser takes longer to
 * create its first one than to draw a screen.
 */
export const formatNumber = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** How many of something: "1 district", "3,324 facilities". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}
