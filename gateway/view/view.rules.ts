import { z } from "zod";

import { filterTextRule } from "../input/page.rules.ts";
import { lineRule } from "../input/texts.rules.ts";

/** Rules for saved views: addresses of lists that people save under a name. */

/** The most views that one person can save. */
export const mostSavedViews = 100;

/** The first parts of the paths that can be saved: screens of the client, without those of one record or a form. */
const screens = new Set([
  "",
  "search",
  "provinces",
  "districts",
  "facilities",
  "ips",
  "ip",
  "tdb",
  "downloads",
  "user",
  "users",
  "audit",
  "machines",
]);
const mostAddress = 2000;

/** Whether a text is the address of a screen with a list: a path of the client and its search parameters. */
export function isViewAddress(address: string): boolean {
  if (!/^\/[\w\-./~%]*(\?[^\s#\\]*)?$/.test(address) || address.startsWith("//")) return false;
  return screens.has(address.split("?")[0]!.split("/")[1]!);
}

const pathsOfPlaces = [
  [/^\/(?:facilities\/(?:implementation\/\w+\/)?province|districts)\/(\d{1,9})$/, "provinceId"],
  [/^\/facilities\/(?:implementation\/\w+\/)?district\/(\d{1,9})$/, "districtId"],
  [/^\/(?:facilities\/implementation\/\w+\/ip|ip)\/(\d{1,9})$/, "implementingPartnerId"],
] as const;

/** The province, district and partner in an address. */
export function placesOf(address: string): {
  provinceId?: number;
  districtId?: number;
  implementingPartnerId?: number;
} {
  const [path, search] = address.split("?") as [string, string | undefined];
  const url = new URLSearchParams(search);
  const given = pathsOfPlaces.flatMap(([pattern, name]) => {
    const id =
      pattern.exec(path)?.[1] ?? url.get(name) ?? (name === "implementingPartnerId" ? url.get("partner") : null);
    return id != null && /^\d{1,9}$/.test(id) ? [[name, Number(id)]] : [];
  });
  return Object.fromEntries(given);
}

export const newViewRules = z.strictObject({
  name: lineRule(128).min(1, "is required").describe("Unique among one's own, at most 128 characters."),
  address: z
    .string("must be a text")
    .max(mostAddress, `may have at most ${mostAddress.toLocaleString("en")} characters`)
    .refine(isViewAddress, "is not the address of a list, such as /facilities?silent=yes")
    .describe("Path and search parameters of a list in the web application, such as /facilities?silent=yes."),
  shared: z
    .boolean("must be true or false")
    .nullish()
    .describe("Whether everybody who is signed in sees it. Each opens it with their own rights."),
});
export type NewView = z.output<typeof newViewRules>;

export const viewFilterRules = z.strictObject({ search: filterTextRule, mine: z.boolean().nullish() });
export type ViewFilter = z.output<typeof viewFilterRules>;
