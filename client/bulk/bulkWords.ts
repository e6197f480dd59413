import type { BulkActName, LeftOutReason } from "../gql/graphql.ts";
import { counted, formatNumber } from "../ui/text/counted.ts";

/** What was done to many sites, in words. */

type LeftOut = readonly { reason: LeftOutReason; sites: number }[];

const reasons: Record<LeftOutReason, (isOne: boolean) => string> = {
  UNKNOWN: (isOne) => (isOne ? "is not known" : "are not known"),
  MERGED: (isOne) => (isOne ? "was merged into another site" : "were merged into other sites"),
  CLOSED: (isOne) => (isOne ? "is closed" : "are closed"),
  NOT_YOURS: (isOne) => (isOne ? "is not yours" : "are not yours"),
  NOT_ON_LIST: (isOne) => (isOne ? "is not on the work list" : "are not on the work list"),
  UNCHANGED: (isOne) => (isOne ? "was so already" : "were so already"),
  CHANGED_SINCE: (isOne) => (isOne ? "was changed since" : "were changed since"),
};
const leftOutWords = (leftOut: LeftOut): string =>
  leftOut.map(({ reason, sites }) => `${formatNumber(sites)} ${reasons[reason](sites === 1)}`).join(", ");

const acts: Record<BulkActName, (where: string) => string> = {
  ASSIGN: (where) => `Action agreed at ${where}`,
  NOTE: (where) => `Note saved at ${where}`,
  SET_PARTNER: (where) => `Partner set at ${where}`,
  ADD_TO_FIELD_LIST: (where) => `Added to the field list: ${where}`,
  REMOVE_FROM_FIELD_LIST: (where) => `Removed from the field list: ${where}`,
};

/** At how many sites it was done, and why not at the others. */
export function doneWords({
  act,
  asked,
  done,
  leftOut,
}: {
  act: BulkActName;
  asked: number;
  done: number;
  leftOut: LeftOut;
}): string {
  const where = done === asked ? counted(done, "site") : `${formatNumber(done)} of ${counted(asked, "site")}`;
  return [acts[act](where), leftOutWords(leftOut)].filter(Boolean).join(act.endsWith("FIELD_LIST") ? "; " : ": ");
}

/** At how many sites it was undone, and why not at the others. */
export const undoneWords = ({ restored, leftOut }: { restored: number; leftOut: LeftOut }): string =>
  [`Undone at ${counted(restored, "site")}`, leftOutWords(leftOut)].filter(Boolean).join(": ");
