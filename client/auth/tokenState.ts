import { formatDate } from "../ui/dates.ts";

/** Until when a token works, or since when it does not. */
export function tokenState({ expired, revoked, expiryDate }: { expired: boolean; revoked: boolean; expiryDate: string }): string {
  if (revoked) return "Revoked";
  return expired ? `Expired after ${formatDate(expiryDate)}` : `Until ${formatDate(expiryDate)}`;
}
