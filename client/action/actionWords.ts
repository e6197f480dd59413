import { formatDate } from "../ui/text/dates.ts";
import { counted } from "../ui/text/counted.ts";

/** How actions are told in words, on every screen. */

type Responsible = {
  responsible?: string | null | undefined;
  implementingPartner?: { implementingPartner: string } | null | undefined;
};
/** Who is to do it: the person, the partner or both. */
export const responsibleWords = ({ responsible, implementingPartner }: Responsible): string =>
  [responsible, implementingPartner?.implementingPartner].filter(Boolean).join(", ");

/** Until when, and for how long it is overdue. */
export const dueWords = ({
  dueDay,
  overdueDays,
}: {
  dueDay: string;
  overdueDays?: number | null | undefined;
}): string => `${formatDate(dueDay)}${overdueDays ? `, overdue by ${counted(overdueDays, "day")}` : ""}`;
