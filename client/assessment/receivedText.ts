import { formatDate } from "../ui/text/dates.ts";

type Times = { assessmentDate: string; receivedDate?: string | null };

/** The day on which the server received an assessment, in words, if it is not the day of the visit. */
export const receivedText = ({ assessmentDate, receivedDate }: Times): string =>
  receivedDate && receivedDate !== assessmentDate ? `received ${formatDate(receivedDate)}` : "";
