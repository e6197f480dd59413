import { BlobWriter, TextReader, ZipWriter } from "@zip.js/zip.js/lib/zip-core-native.js";

import {
  type SheetCell,
  sheetEnd,
  sheetHead,
  sheetPath,
  sheetRow,
  workbookParts,
  workbookType,
} from "../../gateway/rest/workbook/sheet.rules.ts";
import { saveAsFile } from "../ui/network/saveAsFile.ts";

/** Saves a table as an Excel workbook on the device. It is fetched only when somebody asks for a workbook. */
export async function saveWorkbook(name: string, [header, ...rows]: readonly (readonly SheetCell[])[]): Promise<void> {
  const zip = new ZipWriter(new BlobWriter(workbookType), { useWebWorkers: false });
  const sheet = sheetHead((header ?? []).map(String)) + rows.map(sheetRow).join("") + sheetEnd;
  for (const [path, text] of [...workbookParts, [sheetPath, sheet] as const]) await zip.add(path, new TextReader(text));
  saveAsFile(name, await zip.close(), workbookType);
}
