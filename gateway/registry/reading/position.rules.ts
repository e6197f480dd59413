import { fold } from "../../input/identity.rules.ts";
import { isInCountry } from "../../reference/country.rules.ts";
import { cutTo } from "../../input/text.rules.ts";

/** Reads positions as other lists write them: as angles, and with both coordinates in one cell. */

/** An angle: a number, with a decimal comma, a sign of degrees, minutes and seconds, or a letter of its hemisphere. */
const angle =
  /^([NSEW]?) ?([+-]?)(\d+(?:[.,]\d+)?) ?[°º˚]?(?: ?(\d+(?:[.,]\d+)?) ?['’′] ?(?:(\d+(?:[.,]\d+)?) ?(?:["”″]|''))?)? ?([NSEW]?)$/i;

/** An angle as a decimal number; another text stays. */
export function decimalAngle(cell: string): string {
  const [, before = "", sign, degrees, minutes, seconds, after = ""] = angle.exec(fold(cell)) ?? [];
  if (degrees === undefined || (before !== "" && after !== "")) return cell;
  if (minutes === undefined && before + after === "") return `${sign}${degrees.replace(",", ".")}`;
  const [whole, sixtieth, rest] = [degrees, minutes ?? "0", seconds ?? "0"].map((part) =>
    Number(part.replace(",", ".")),
  );
  const value = whole! + sixtieth! / 60 + rest! / 3600;
  return (sign === "-" || /[SW]/i.test(before + after) ? -value : value).toFixed(8);
}

/** Between the coordinates: a semicolon or bar, a comma with a space, a comma, a letter of a hemisphere, or a space. */
const separators = [/ ?[;|/] ?/, /, /, /,/, /(?<=\d\W*[NSEW]),? ?(?=\d)/i, / /];

/** The two angles of a text. Of a text with spaces only, ODK's altitude and accuracy are left out. */
function anglesOf(text: string): [string, string] | undefined {
  for (const separator of separators) {
    const parts = text.split(separator);
    const most = separator.source === " " ? 4 : 2;
    const isAngle = (part: string) => angle.test(part) && !/^[NSEW].*[NSEW]$/i.test(part);
    if (parts.length >= 2 && parts.length <= most && parts.every(isAngle)) return [parts[0]!, parts[1]!];
  }
  return undefined;
}

/** Whether a heading names the longitude first, or the latitude; undefined if it names neither. */
function orderOf(heading: string): "latitude" | "longitude" | undefined {
  const [latitude, longitude] = [/lat|\by\b/i, /lo?ng?|\bx\b/i].map((name) => heading.search(name)) as [number, number];
  if (latitude < 0 || longitude < 0) return undefined;
  return latitude < longitude ? "latitude" : "longitude";
}

/**
 * Reads both coordinates from one cell. Their order is told by the letters of their hemispheres, by WKT, or by the
 * heading; otherwise the one in which the position is in the country.
 */
export function positionIn(cell: string, heading: string): { latitude: string; longitude: string } | { why: string } {
  const text = fold(cell);
  const wkt = /^(?:SRID=\d+; ?)?POINT(?: Z)? ?\((.+)\)$/i.exec(text)?.[1];
  const found = anglesOf((wkt ?? text.replace(/^[([](.+)[)\]]$/, "$1")).trim());
  const quoted = `'${cutTo(40, text)}'`;
  if (!found) return { why: `${quoted} is not a latitude and a longitude: write them in two columns` };
  const [first, second] = found.map(decimalAngle) as [string, string];
  const inOrder = { latitude: first, longitude: second };
  const turned = { latitude: second, longitude: first };
  if (/[EW]/i.test(found[0]) || /[NS]/i.test(found[1])) return turned;
  if (/[NS]/i.test(found[0]) || /[EW]/i.test(found[1])) return inOrder;
  const order = wkt === undefined ? orderOf(heading) : "longitude";
  if (order !== undefined) return order === "latitude" ? inOrder : turned;
  if (isInCountry(Number(first), Number(second))) return inOrder;
  if (isInCountry(Number(second), Number(first))) return turned;
  return { why: `${quoted} may be latitude and longitude or the reverse: write them in two columns` };
}
