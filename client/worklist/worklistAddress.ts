import type { Params } from "react-router-dom";
import type { ReportScope } from "../dash/reportScope.ts";
import { allPartners } from "../dash/scope.ts";
import { placeFilters, placesIn } from "../reference/placeFilter.ts";
import { type Filters, isOneOf } from "../ui/filter/wrongFilter.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { isKind, nameOf } from "../action/worklistKinds.ts";

/** The filter in an address of the work list. */

const shows = { open: "OPEN", snoozed: "SNOOZED", all: "ALL" } as const;
const showOf = (url: URLSearchParams): keyof typeof shows =>
  (["snoozed", "all"] as const).find((show) => show === url.get("show")) ?? "open";

const groups = { partner: "PARTNER", district: "DISTRICT" } as const;
export type Group = keyof typeof groups;
const groupOf = (url: URLSearchParams): Group | undefined =>
  (["partner", "district"] as const).find((group) => group === url.get("group"));

/** What the address may have. */
export const worklistFilters: Filters = {
  ...placeFilters,
  show: isOneOf(...Object.keys(shows)),
  mine: isOneOf("yes"),
  group: isOneOf(...Object.keys(groups)),
};

/** What is listed and how, beside the kind and the page: every link within the work list keeps it. */
export const viewIn = (url: URLSearchParams) => ({
  show: showOf(url),
  isMine: url.get("mine") === "yes",
  group: groupOf(url),
});
export type WorklistView = ReturnType<typeof viewIn>;

/** The view as search parameters; what is usual is left out. */
export const viewParameters = ({ show, isMine, group }: WorklistView) => ({
  show: show === "open" ? undefined : show,
  mine: isMine ? "yes" : undefined,
  group,
});

/** The place and the partner of the scope bar. */
export function readScope(url: URLSearchParams): ReportScope {
  const { provinceId, districtId, implementingPartnerId } = placesIn(url);
  const place = districtId === undefined ? (provinceId === undefined ? {} : { provinceId }) : { districtId };
  return { scope: place, partner: implementingPartnerId ?? allPartners };
}

/** The variables of a list of the work list. */
export function readList(url: URLSearchParams) {
  const { show, isMine } = viewIn(url);
  // Without `mine` the answer is the same for everybody, and is kept.
  return { ...placesIn(url), show: shows[show], mine: isMine || undefined };
}

/** The variables of the list's query, with the names of its scope. */
export function readWorklist({ params, url }: { params: Params; url: URLSearchParams }) {
  const { group } = viewIn(url);
  const scope = placesIn(url);
  return {
    kind: nameOf(isKind(params["kind"]) ? params["kind"] : "stopped"),
    ...readList(url),
    orderBy: group && groups[group],
    offset: offsetOf(url),
    ...{ inProvince: scope.provinceId !== undefined, namedProvince: scope.provinceId },
    ...{ inDistrict: scope.districtId !== undefined, namedDistrict: scope.districtId },
    ...{ ofPartner: scope.implementingPartnerId !== undefined, namedPartner: scope.implementingPartnerId },
  };
}
