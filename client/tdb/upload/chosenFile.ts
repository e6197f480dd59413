import { Unreadable } from "./failures.ts";
import type { Source } from "./recognise.ts";

/** A file that was chosen in this window, as an upload reads it. */
export const sourceOf = (file: File): Source => ({
  name: file.name,
  size: file.size,
  read: async (start, end) => {
    try {
      return new Uint8Array(await file.slice(start, end).arrayBuffer());
    } catch {
      throw new Unreadable("The file cannot be read any more: it was moved, changed or removed. Choose it again.");
    }
  },
});
