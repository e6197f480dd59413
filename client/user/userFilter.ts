import { roleCodes } from "../../gateway/access/access.rules.ts";
import { isTextOf, type ListParameter } from "../../gateway/input/listParameters.rules.ts";
import type { RoleCode, UserSort } from "../gql/graphql.ts";
import { files } from "../routes.ts";
import { orderAndPage, sortIn } from "../ui/filter/listSort.ts";
import { type Filters, isAny, isId, isOneOf } from "../ui/filter/wrongFilter.ts";
import { idInPath } from "../ui/list/idInPath.ts";

/** The state of the list of people in its address: filters, order and page. */

export const userOrders = {
  userName: "User name",
  surname: "Surname",
  created: "Account made",
  lastLogin: "Last sign-in",
} as const;

/** Whether an account can sign in. */
export const accounts: Record<string, { label: string; active: boolean }> = {
  active: { label: "Active", active: true },
  deactivated: { label: "Deactivated", active: false },
};

/** The filter for people who have not signed in since a day. */
export const unseen = {
  kind: "day",
  label: "No sign-in since",
  about: "Last sign-in before this day, or none.",
} satisfies ListParameter;

/** What the address may have. */
export const userFilters: Filters = {
  search: isAny,
  partner: isId,
  account: isOneOf(...Object.keys(accounts)),
  role: isOneOf(...Object.keys(roleCodes)),
  unseenSince: (text) => isTextOf(unseen, text),
};

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
  implementingPartnerId: idInPath(url.get("partner")) ?? null,
  active: accounts[url.get("account") ?? ""]?.active ?? null,
  role: roleIn(url),
  lastLoginBefore: dayIn(url),
});

/** The variables of the list's query. */
export const readUserList = (url: URLSearchParams) => ({
  ...filterIn(url),
  ...orderAndPage<UserSort>(url, userOrders),
});

/** The address of the CSV file with the whole list. */
export const csvAddress = (url: URLSearchParams): string =>
  files.usersCsv({ ...filterIn(url), sort: sortIn(url, userOrders) });
