import { now } from "./clock.ts";
import { instantText } from "../../ui/text/instants.ts";

/** When figures were read: "figures as at 23 Nov 2026 09:15". */
export const asAtWords = (timeZone: string, at: Date = now()): string => `figures as at ${instantText(at, timeZone)}`;
