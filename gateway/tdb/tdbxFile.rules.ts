import { faultOfAnyFileName } from "../input/fileName.rules.ts";

/** What a file must be called to be sent as a TDB. */

export const tdbxExtension = ".tdbx";
export const wrongExtensionMessage = "Only TDBX files can be uploaded, do not included unsupported files.";

/** What is wrong with the name that a file was sent under; undefined when nothing is. */
export function faultOfFileName(name: string): string | undefined {
  return (
    faultOfAnyFileName(name) ??
    (name.toLowerCase().endsWith(tdbxExtension) && name.length > tdbxExtension.length ? undefined : wrongExtensionMessage)
  );
}
