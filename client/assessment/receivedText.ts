import { formatDate } from "../ui/text/dates.ts";

type Times = { assessmentDate: string; receivedDate?: string | null };

/** On which day the server received an assessment, where that is not the day of the visit. */
export const receivedText = ({ assessmentDate, receivedDate }: Times): string =>
  receivedDate && receivedDate !== assessmentDate ? `received ${formatDate(receivedDate)}` : "";
