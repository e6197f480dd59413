import type { ChartSettings } from "./overviewParams.ts";
import { yearOptions } from "./periods.ts";
import type { OverviewScope } from "./scope.ts";

/** What an overview is compared with, as the address says it: `year-2025`, `province-3`, `district-14`, `partner-2`; several are joined by dots. */

/** How many stand side by side at most, the page's own included. */
const mostSides = 4;

const joint = ".";

/** A place or partner and the settings of its chart. */
export type Side = { scope: OverviewScope; settings: ChartSettings };

/** A side and its word in the address; the page's own has none. */
export type ComparedSide = Side & { word: string };

/** The address's words for a scope that names one unit. */
export const comparedUnit = {
  province: (id: number) => `province-${id}`,
  district: (id: number) => `district-${id}`,
  partner: (id: number) => `partner-${id}`,
  year: (year: number) => `year-${year}`,
};

/** The words of the address for each that is compared, once. */
export const comparedWords = (compared: string | null): string[] => [...new Set((compared ?? "").split(joint))].filter(Boolean).slice(0, mostSides - 1);

/** The address's value for them; undefined for none. */
export const joinCompared = (words: readonly string[]): string | undefined => words.filter(Boolean).join(joint) || undefined;

/** All sides of a comparison, the page's own first; words that name nothing, or the page itself, are left out. */
export const sidesOf = (own: Side, compared: string | null, today: string): ComparedSide[] => [
  { ...own, word: "" },
  ...comparedWords(compared).flatMap((word) => {
    const side = otherSide(own, word, today);
    return side ? { ...side, word } : [];
  }),
];

/** The side that one word names; undefined where it names none, or the page's own. */
function otherSide({ scope, settings }: Side, word: string, today: string): Side | undefined {
  const [, kind, digits] = /^(year|province|district|partner)-(\d{1,9})$/.exec(word) ?? [];
  const id = Number(digits);
  if (kind === "year") return id === settings.year || !yearOptions(today).includes(id) ? undefined : { scope, settings: { ...settings, year: id } };
  if (kind === "province") return id === scope.provinceId && scope.districtId === undefined ? undefined : { scope: { provinceId: id }, settings };
  if (kind === "district") return id === scope.districtId ? undefined : { scope: { districtId: id }, settings };
  if (kind === "partner") return id === scope.implementingPartnerId ? undefined : { scope: { implementingPartnerId: id }, settings };
  return undefined;
}
