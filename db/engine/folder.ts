import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it, unless they exist. Node's own `recursive` never ends where the folder above exists
 * and the system yet answers that it does not, as below `/proc`.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  if (!existsSync(dirname(path))) await makeFolder(dirname(path), mode);
  await mkdir(path, mode).catch((error: unknown) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  });
}
