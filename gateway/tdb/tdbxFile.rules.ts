import { faultOfAnyFileName } from "../input/fileName.rules.ts";

/** The rules for the name of a file that is sent as a TDB. */

export const tdbxExtension = ".tdbx";
export const wrongExtensionMessage = "Only TDBX files can be uploaded, do not included unsupported files.";

/** What is wrong with the name of a sent file; undefined if it is valid. */
export function faultOfFileName(name: string): string | undefined {
  return (
    faultOfAnyFileName(name) ??
    (name.toLowerCase().endsWith(tdbxExtension) && name.length > tdbxExtension.length
      ? undefined
      : wrongExtensionMessage)
  );
}
