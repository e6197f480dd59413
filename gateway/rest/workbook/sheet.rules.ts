/**
 * The texts of an Excel workbook (Office Open XML, ECMA-376) of one sheet: a first row that stays in view, numbers as
 * numbers, days (YYYY-MM-DD) as days, and everything else as text, which Excel never runs as a formula.
 */

export const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

export type SheetCell = string | number | boolean | null;
/** The characters of a cell. */
const mostText = 32_767;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const spreadsheet = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** The places of the formats in styles.xml. */
const [headerStyle, dayStyle] = [1, 2];
/** The place of the sheet among the parts. */
export const sheetPath = "xl/worksheets/sheet1.xml";

const bodies: Record<string, string> = {
  "[Content_Types].xml": `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/${sheetPath}" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  "_rels/.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `<styleSheet ${main}><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`,
};

/** The parts of every workbook, but the sheet: their paths and texts. */
export const workbookParts = Object.entries(bodies).map(([path, text]) => [path, declaration + text] as const);

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;" };
/** Characters that XML does not allow, as Excel writes them (ECMA-376, ST_Xstring); and texts that look like that. */
const notInXml = /(?![\t\n\r])\p{Cc}|[\uFFFE\uFFFF]|_(?=x[\dA-Fa-f]{4}_)/gu;
const escaped = (text: string): string =>
  text
    .slice(0, mostText)
    .replaceAll(notInXml, (letter) => `_x${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`)
    .replaceAll(/[&<>\r]/g, (letter) => entities[letter]!);

const textCell = (text: string, style = 0): string =>
  `<c t="inlineStr"${style ? ` s="${style}"` : ""}><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;

/** The number of a day in Excel: of days since 30 December 1899. Days before March 1900 have another number there. */
function dayNumber(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || text < "1900-03-01") return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at / 86_400_000 + 25_569;
}

function cell(value: SheetCell): string {
  if (value === null || value === "") return "<c/>";
  if (typeof value === "boolean") return `<c t="b"><v>${Number(value)}</v></c>`;
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  const day = dayNumber(value);
  return day === null ? textCell(value) : `<c s="${dayStyle}"><v>${day}</v></c>`;
}

/** A row of the sheet. */
export const sheetRow = (cells: readonly SheetCell[]): string => `<row>${cells.map(cell).join("")}</row>`;

/** The beginning of the sheet, up to its first row. */
export const sheetHead = (header: readonly string[]): string =>
  `${declaration}<worksheet ${main}><sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${Math.max(header.length, 1)}" width="18" customWidth="1"/></cols><sheetData><row>${header.map((name) => textCell(name, headerStyle)).join("")}</row>`;
export const sheetEnd = "</sheetData></worksheet>";
