import { z } from "zod";

import {
  byField,
  type FacilityField,
  type FieldName,
  fieldNames,
  type ValuesOf,
} from "../../../db/facility/facilityFields.rules.ts";
import { builtInSystems, identifierMaximum } from "../../../db/facility/identifierSystems.rules.ts";
import { codeFault, codeForm, fold, isPlaceholder, nameKey } from "../../input/identity.rules.ts";
import { cutTo } from "../../input/text.rules.ts";

/** The fields of a row in each kind of CSV file, and the possible names of their columns. */

/** The kinds of lists that can be loaded; each may depend on those before it. */
export const kinds = [
  "provinces",
  "districts",
  "partners",
  "serviceAreas",
  "versions",
  "connectivityTypes",
  "connectivityProviders",
  "facilities",
] as const;
export type Kind = (typeof kinds)[number];

/** An empty cell is null: it never erases what is stored. A column that the file lacks is undefined. */
const cell = z.string().transform((text, context): string | null => {
  const value = fold(text);
  const [control] = /\p{Cc}/u.exec(value) ?? [];
  const refuse = (message: string) => context.addIssue({ code: "custom", message });
  if (control === "\0") refuse("holds a NUL character");
  else if (control)
    refuse(`holds a control character (U+${control.codePointAt(0)!.toString(16).padStart(4, "0").toUpperCase()})`);
  if (value.includes("\u{FFFD}") || /\p{Cs}/u.test(value)) refuse("is not UTF-8: save the file as CSV in UTF-8");
  return value || null;
});

/** A cell of a number or a choice. A placeholder counts as empty; 0 does not. */
const measured = cell.transform((value) =>
  value !== null && isPlaceholder(value) && !/\d/.test(value) ? null : value,
);

/** A cell with a text of at most `most` characters; null if it is empty. */
const text = (most: number) =>
  cell.refine((value) => value === null || [...value].length <= most, {
    error: `is too long: at most ${most} characters`,
  });

/** A word of a list, such as a type of connection. */
const word = (most: number) =>
  text(most).transform((value, context): string => {
    if (value === null) context.addIssue({ code: "custom", message: "is empty" });
    return value ?? "";
  });

/** The name of something. A placeholder is no name. */
const name = (most: number) =>
  word(most).refine(
    (value) => !isPlaceholder(value),
    "is a placeholder, not a name: enter the name, or remove the row",
  );

/** The name of something, if the row has one. A placeholder counts as empty. */
export const optionalName = (most: number) =>
  text(most).transform((value) => (value === null || isPlaceholder(value) ? null : value));

/** A code or identifier in its form. A placeholder counts as empty. */
export const identifier = (most: number) =>
  cell
    .transform((value, context): string | null => {
      const code = codeForm(value ?? "");
      if (code === "" || isPlaceholder(code)) return null;
      const fault = codeFault(code);
      if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
      return code;
    })
    .refine((value) => value === null || [...value].length <= most, {
      error: `is too long: at most ${most} characters`,
    });

const number = (limit: number) =>
  measured.transform((value, context): number | null => {
    if (value === null) return null;
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (!/^[+-]?(\d+\.?\d*|\.\d+)$/.test(value))
      refuse(`'${cutTo(40, value)}' is not a number (digits, with a point for decimals)`);
    else if (Math.abs(Number(value)) > limit) refuse(`${value} is outside of -${limit} to ${limit}`);
    return Number(value);
  });

const truth = new Map([
  ...["true", "yes", "y", "1", "active"].map((word) => [word, true] as const),
  ...["false", "no", "n", "0", "inactive"].map((word) => [word, false] as const),
]);
const yesOrNo = measured.transform((value, context): boolean | null => {
  if (value === null) return null;
  const answer = truth.get(value.toLowerCase());
  if (answer === undefined)
    context.addIssue({ code: "custom", message: `'${cutTo(40, value)}' is neither true nor false` });
  return answer ?? null;
});

const list = cell.transform((value, context): string[] | null => {
  const byKey = new Map((value ?? "").split(";").map((part) => [nameKey(part), fold(part)]));
  for (const [key, part] of byKey) {
    if (key === "" || isPlaceholder(part)) byKey.delete(key);
    if ([...part].length > 128)
      context.addIssue({ code: "custom", message: `'${cutTo(40, part)}' is too long: at most 128 characters` });
  }
  return byKey.size > 0 ? [...byKey.values()] : null;
});

const count = (most: number) =>
  measured.transform((value, context): number | null => {
    if (value === null) return null;
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    if (!/^\d+$/.test(value)) refuse(`'${cutTo(40, value)}' is not a whole number from 0 (digits only)`);
    else if (Number(value) > most) refuse(`${cutTo(40, value)} is more than ${most}`);
    return Number(value);
  });

const choice = (values: readonly string[]) =>
  measured.transform((value, context): string | null => {
    if (value === null) return null;
    const chosen = values.find((one) => nameKey(one) === nameKey(value));
    if (!chosen) context.addIssue({ code: "custom", message: `'${cutTo(40, value)}' is none of ${values.join(", ")}` });
    return chosen ?? null;
  });

const cellOf = (field: FacilityField): z.ZodType<string | number | null> => {
  if (field.type === "text") return field.isCode ? identifier(field.most) : text(field.most);
  if (field.type === "choice") return choice(field.values);
  return field.type === "count" ? count(field.most) : number(field.most);
};
type FieldCells = { [Name in FieldName]: z.ZodOptional<z.ZodType<ValuesOf<FieldName>[Name]>> };
const fieldCells = byField(fieldNames, (_name, field) => cellOf(field).optional()) as FieldCells;

/** Identifiers of other systems. A SmartCare GUID may become the facility's uuid, which is shorter. */
const identifierCells = Object.fromEntries(
  builtInSystems
    .filter(({ columns }) => columns.length > 0)
    .map(({ system }) => [system, identifier(system === "smartcare" ? 64 : identifierMaximum).optional()]),
) as object as { smartcare: z.ZodOptional<z.ZodType<string | null>> };

const named = z.object({ name: name(128) });
const words = z.object({ name: word(128) });

export const rowRules = {
  provinces: named,
  districts: z.object({ province: name(128), district: name(128) }),
  partners: z.object({ name: name(256), active: yesOrNo.optional() }),
  serviceAreas: named,
  versions: z.object({ libraryVersion: name(128), databaseVersion: name(128) }),
  connectivityTypes: words,
  connectivityProviders: words,
  facilities: z.object({
    facilityUuid: identifier(64).optional(),
    facilityName: name(256),
    province: name(128),
    district: name(128),
    ...fieldCells,
    ...identifierCells,
    implementingPartner: optionalName(256).optional(),
    serviceAreas: list.optional(),
  }),
} as const satisfies Record<Kind, z.ZodObject>;
export type RowOf<K extends Kind> = z.output<(typeof rowRules)[K]>;
export type FacilityRow = RowOf<"facilities">;

/** Further names of columns. Upper or lower case, spaces and underscores in a header do not matter. */
const aliases: Partial<Record<Kind, Record<string, string[]>>> = {
  provinces: { name: ["province"] },
  partners: { name: ["implementingPartner"] },
  serviceAreas: { name: ["serviceArea"] },
  connectivityTypes: { name: ["type", "connectivityType"] },
  connectivityProviders: { name: ["provider", "connectivityProvider"] },
  facilities: {
    facilityUuid: ["uuid", "smartcareGuid"],
    facilityName: ["name"],
    ...byField(fieldNames, (_name, { alsoCalled }) => [...(alsoCalled ?? [])]),
    ...Object.fromEntries(builtInSystems.map(({ system, columns }) => [system, [...columns]])),
  },
};

const headerKey = (header: string): string => fold(header).toLowerCase().replace(/[\s_]/g, "");

/** The fields of a file's rows (`rule`), and further names of their columns (`called`). */
export type Form = { rule: z.ZodObject; called: Record<string, readonly string[]> };
const formOf = (kind: Kind): Form => ({ rule: rowRules[kind], called: aliases[kind] ?? {} });
export const facilityForm = formOf("facilities");

/** Makes a function that tells the field of a heading, if the heading is one of its names. */
export function fieldFinder({ rule, called }: Form): (heading: string) => string | undefined {
  const fieldOf = new Map(
    Object.keys(rule.shape).flatMap((field) =>
      [field, ...(called[field] ?? [])].map((name) => [headerKey(name), field] as const),
    ),
  );
  return (heading) => fieldOf.get(headerKey(heading));
}

/**
 * Reads the first line of a file: the field of each column, the unknown columns, and the errors. `chosen`: the field of
 * each column, where that is known otherwise than by its heading.
 */
export function readHeader(kind: Kind | Form, header: string[], chosen?: readonly (string | undefined)[]) {
  const form = typeof kind === "string" ? formOf(kind) : kind;
  const shape = form.rule.shape as Record<string, z.ZodType>;
  const fields = new Map<string, { index: number; column: string }>();
  const ignored: string[] = [];
  const errors: { column: string; reason: string }[] = [];
  const fieldOf = fieldFinder(form);
  header.forEach((column, index) => {
    const field = chosen ? chosen[index] : fieldOf(column);
    const earlier = field && fields.get(field);
    if (!field) ignored.push(fold(column) || `(column ${index + 1}, without a name)`);
    else if (earlier)
      errors.push({ column: fold(column), reason: `means the same as column ${earlier.column}: keep one` });
    else fields.set(field, { index, column: fold(column) });
  });
  if (fields.size === 0 && header.length > 1) {
    const names = Object.keys(shape);
    const known = `${names.slice(0, 6).join(", ")}${names.length > 6 ? " and so on" : ""}`;
    const given = cutTo(200, ignored.join(", "));
    errors.push({ column: "", reason: `no heading is known (${given}): rename the columns to ${known}` });
    return { fields, ignored, errors };
  }
  const lacks = (field: string) => errors.push({ column: field, reason: "the file lacks this column" });
  for (const [field, rule] of Object.entries(shape)) {
    if (!rule.safeParse(undefined).success && !fields.has(field)) lacks(field);
  }
  if (fields.has("latitude") && !fields.has("longitude")) lacks("longitude");
  if (fields.has("longitude") && !fields.has("latitude")) lacks("latitude");
  if (fields.size === 0 && header.length === 1 && /[;|\t]/.test(header[0]!))
    errors.push({ column: fold(header[0]!), reason: "cells must be separated by commas, semicolons or tabs" });
  return { fields, ignored, errors };
}
export type Header = ReturnType<typeof readHeader>;

/** Reads the cells of one row; `isBlank`: the row has no text at all. */
export function readRow<K extends Kind>(kind: K, { fields }: Header, cells: string[]) {
  const input = Object.fromEntries([...fields].map(([field, { index }]) => [field, cells[index]!]));
  const result = rowRules[kind].safeParse(input);
  if (result.success) return { row: result.data as RowOf<K>, errors: [] };
  const errors = result.error.issues.map(({ path: [field], message }) => ({
    column: fields.get(String(field))?.column ?? String(field),
    reason: message,
  }));
  return { errors };
}

/**
 * Whether two names differ only by one letter, by punctuation and spaces, or by an added "Province" or "District", so
 * that they probably name the same place.
 */
export function isAlmost(name: string, other: string): boolean {
  const bare = (text: string) =>
    nameKey(text)
      .replace(/ (province|district)$/, "")
      .normalize("NFD")
      .replace(/[^\p{L}\p{N}]/gu, "");
  const [short, long] = [bare(name), bare(other)].sort((a, b) => a.length - b.length) as [string, string];
  if (long.length - short.length > 1 || short === "") return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same += 1;
  const rest = (text: string, skipped: number) => text.slice(same + skipped);
  return rest(short, short.length === long.length ? 1 : 0) === rest(long, 1);
}
