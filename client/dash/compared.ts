import type { ChartSettings } from "./overviewParams.ts";
import { yearOptions } from "./periods.ts";
import type { OverviewScope } from "./scope.ts";

/**
 * What an overview is compared with, as the address encodes it: `year-2025`, `province-3`, `district-14`, `partner-2`,
 * joined by dots.
 */

/** The most charts side by side, including the page's own. */
const mostSides = 4;

const joint = ".";

/** A place or partner and the settings of its chart. */
export type Side = { scope: OverviewScope; settings: ChartSettings };

/** A side and its code in the address. The page's own side has none. */
export type ComparedSide = Side & { word: string };

/** The codes in the address for a scope that names one unit. */
export const comparedUnit = {
  province: (id: number) => `province-${id}`,
  district: (id: number) => `district-${id}`,
  partner: (id: number) => `partner-${id}`,
  year: (year: number) => `year-${year}`,
};

/** The codes of the address, without duplicates. */
export const comparedWords = (compared: string | null): string[] =>
  [...new Set((compared ?? "").split(joint))].filter(Boolean).slice(0, mostSides - 1);

/** The value of the address for these codes; undefined if there are none. */
export const joinCompared = (words: readonly string[]): string | undefined =>
  words.filter(Boolean).join(joint) || undefined;

/** All sides of a comparison, the page's own first. Codes that name nothing, or the page itself, are left out. */
export const sidesOf = (own: Side, compared: string | null, today: string): ComparedSide[] => [
  { ...own, word: "" },
  ...comparedWords(compared).flatMap((word) => {
    const side = otherSide(own, word, today);
    return side ? { ...side, word } : [];
  }),
];

/** The side of one code; undefined if the code names nothing, or the page itself. */
function otherSide({ scope, settings }: Side, word: string, today: string): Side | undefined {
  const [, kind, digits] = /^(year|province|district|partner)-(\d{1,9})$/.exec(word) ?? [];
  const id = Number(digits);
  if (kind === "year")
    return id === settings.year || !yearOptions(today).includes(id)
      ? undefined
      : { scope, settings: { ...settings, year: id } };
  if (kind === "province")
    return id === scope.provinceId && scope.districtId === undefined
      ? undefined
      : { scope: { provinceId: id }, settings };
  if (kind === "district") return id === scope.districtId ? undefined : { scope: { districtId: id }, settings };
  if (kind === "partner")
    return id === scope.implementingPartnerId ? undefined : { scope: { implementingPartnerId: id }, settings };
  return undefined;
}
