import { faultOfAnyFileName } from "../input/fileName.rules.ts";

/** What a file must be called, and how large all files of one request may be, to be sent as TDBs. */

export const tdbxExtension = ".tdbx";
export const wrongExtensionMessage = "Only TDBX files can be uploaded, do not included unsupported files.";
export const batchLimitBytes = 32_212_254_720;
export const batchLimitMessage = "Chosen Files Batch Size exceeds the allowable Limit.";

/** What is wrong with the name that a file was sent under; undefined when nothing is. */
export function faultOfFileName(name: string): string | undefined {
  return (
    faultOfAnyFileName(name) ??
    (name.toLowerCase().endsWith(tdbxExtension) && name.length > tdbxExtension.length ? undefined : wrongExtensionMessage)
  );
}
