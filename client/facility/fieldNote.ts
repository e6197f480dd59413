import { read } from "../store/store.ts";

/** Under which key of the sealed store it says what was taken along into the field (fieldSites.ts). */
export const noteKey = "note";

/** Whether somebody took sites along: without them nothing of that needs to be fetched. */
export const hasFieldNote = async (): Promise<boolean> => (await read("site", noteKey)) !== undefined;
