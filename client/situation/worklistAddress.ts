import type { Params } from "react-router-dom";
import { scopeIn } from "../reference/placeFilter.ts";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { isKind, nameOf } from "./worklistKinds.ts";

/** The filter in an address of the work list. */

const shows = { open: "OPEN", snoozed: "SNOOZED", all: "ALL" } as const;
export const showOf = (url: URLSearchParams): keyof typeof shows =>
  (["snoozed", "all"] as const).find((show) => show === url.get("show")) ?? "open";

/** The variables of the list's query, with the names of its scope. */
export function readWorklist({ params, url }: { params: Params; url: URLSearchParams }) {
  const scope = scopeIn(url);
  return {
    kind: nameOf(isKind(params["kind"]) ? params["kind"] : "stopped"),
    show: shows[showOf(url)],
    ...scope,
    offset: offsetOf(url),
    ...{ inProvince: scope.provinceId !== undefined, namedProvince: scope.provinceId },
    ...{ inDistrict: scope.districtId !== undefined, namedDistrict: scope.districtId },
    ...{ ofPartner: scope.implementingPartnerId !== undefined, namedPartner: scope.implementingPartnerId },
  };
}
