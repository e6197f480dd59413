/**
 * A whole number with its thousands set apart: "1,234". By hand, for a browser takes longer to make its first Intl.NumberFormat than
 * to draw a screen.
 */
export const withThousands = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ",");
