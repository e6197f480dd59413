/**
 * Numbers in a workbook that a format shows as a day or with zeros before them (ECMA-376, 18.8.30 numFmt). Only the
 * format tells them from other numbers.
 */

/** The formats with a number of their own that show a day; 18 to 21 and 45 to 47 show a time of day. */
const isDayFormat = (id: number): boolean => (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36);
/** Whether a format written out shows a day: it has a letter of a year or a day outside quotes and brackets. */
const showsDay = (code: string): boolean => /[ydYD]/.test(code.replaceAll(/"[^"]*"|\[[^\]]*\]|\\./g, ""));

/** Collects which cell styles show days, or as many digits as the format has zeros, from the elements of styles.xml. */
export function cellStyles() {
  const days = new Set<number>();
  const digits = new Map<number, number>();
  const formats = new Set<number>();
  const zeros = new Map<number, number>();
  let isCell = false;
  let style = 0;
  return {
    /** the numbers of the styles (attribute s of a cell) */
    ...{ days, digits },
    open: (name: string, { numFmtId: id, formatCode: code }: Record<string, string>) => {
      if (name === "numFmt" && code !== undefined && showsDay(code)) formats.add(Number(id));
      if (name === "numFmt" && /^0+$/.test(code ?? "")) zeros.set(Number(id), code!.length);
      if (name === "cellXfs") isCell = true;
      if (name !== "xf" || !isCell) return;
      if (isDayFormat(Number(id)) || formats.has(Number(id))) days.add(style);
      if (zeros.has(Number(id))) digits.set(style, zeros.get(Number(id))!);
      style += 1;
    },
    close: (name: string) => {
      if (name === "cellXfs") isCell = false;
    },
  };
}

/**
 * The day of a number as YYYY-MM-DD, with T and the time if it has one; null if it is none.
 *
 * @param from the day with number 0 as the workbook counts: from 1899-12-30 (all days after February 1900) or 1904-01-01
 */
export function dayText(text: string, from: "1899-12-30" | "1904-01-01"): string | null {
  const number = Number(text);
  if (text.trim() === "" || !(number >= (from === "1904-01-01" ? 0 : 61) && number < 2_958_466)) return null;
  const instant = new Date(Date.parse(`${from}T00:00:00Z`) + Math.round(number * 86_400) * 1000).toISOString();
  return instant.endsWith("T00:00:00.000Z") ? instant.slice(0, 10) : instant.slice(0, 19);
}
