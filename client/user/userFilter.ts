import { roleCodes } from "../../gateway/access/access.rules.ts";
import { isTextOf, type ListParameter } from "../../gateway/input/listParameters.rules.ts";
import type { RoleCode, UserSort } from "../gql/graphql.ts";
import { sortIn, sortValue } from "../ui/filter/listSort.ts";
import { offsetOf, rowsIn } from "../ui/list/pageOffset.ts";

/** The state of the list of people in its address: filters, order and page. Invalid values are ignored. */

export const userOrders = { userName: "User name", surname: "Surname", created: "Account made", lastLogin: "Last sign-in" } as const;

/** Whether an account can sign in. */
export const accounts: Record<string, { label: string; active: boolean }> = {
  active: { label: "Active", active: true },
  deactivated: { label: "Deactivated", active: false },
};

/** The filter for people who have not signed in since a day. */
export const unseen = { kind: "day", label: "No sign-in since", about: "Last sign-in before this day, or none." } satisfies ListParameter;

const dayIn = (url: URLSearchParams): string | null => {
  const day = url.get("unseenSince") ?? "";
  return isTextOf(unseen, day) ? day : null;
};
const roleIn = (url: URLSearchParams): RoleCode | null => {
  const role = url.get("role") ?? "";
  return Object.hasOwn(roleCodes, role) ? (role as RoleCode) : null;
};

/** The filters of the list. */
export const filterIn = (url: URLSearchParams) => ({
  search: url.get("search")?.slice(0, 128) || null,
  implementingPartnerId: /^\d{1,9}$/.test(url.get("partner") ?? "") ? Number(url.get("partner")) : null,
  active: accounts[url.get("account") ?? ""]?.active ?? null,
  role: roleIn(url),
  lastLoginBefore: dayIn(url),
});

/** The variables of the list's query. */
export function readUserList(url: URLSearchParams) {
  const by = sortIn(url, userOrders);
  return {
    ...filterIn(url),
    sort: by === undefined ? null : (sortValue(by) as UserSort),
    first: rowsIn(url),
    offset: offsetOf(url, "page", rowsIn(url)),
  };
}

/** The address of the CSV file with the whole list. */
export function csvAddress(url: URLSearchParams): string {
  const given = Object.entries({ ...filterIn(url), sort: sortIn(url, userOrders) ?? null }).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  const query = new URLSearchParams(given).toString();
  return `/api/v1/user/csv${query ? `?${query}` : ""}`;
}
