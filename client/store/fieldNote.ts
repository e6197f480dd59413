import { read } from "./store.ts";

/** The key of the note in the encrypted store that describes the download (fieldSites.ts). */
export const noteKey = "note";

/** Whether sites are downloaded. If not, the code for them is not needed. */
export const hasFieldNote = async (): Promise<boolean> => (await read("site", noteKey)) !== undefined;
