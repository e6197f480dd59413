/** The parameters of a saved query as fields of a form, and as the parameters of its address. */

export type Parameter = { name: string; type: string; value: string | null; choices: string[] | null };
export type ParameterKind = "choice" | "choices" | "flag" | "whole" | "number" | "date" | "text";

const bare = (type: string) => type.replaceAll(/[![\]]/g, "");

/** Whether the query needs the parameter. */
export const isRequired = ({ type }: Parameter): boolean => type.endsWith("!");

export function kindOf({ type, choices }: Parameter): ParameterKind {
  const isList = type.startsWith("[");
  if (choices && !isList) return "choice";
  if (isList) return "choices";
  const named: Record<string, ParameterKind> = { Boolean: "flag", Int: "whole", Float: "number", Date: "date" };
  return named[bare(type)] ?? "text";
}

/** The default of a parameter, as the text of an address. */
export function usualText({ value }: Parameter): string {
  if (value === null) return "";
  const known = JSON.parse(value) as unknown;
  if (Array.isArray(known)) return known.join(",");
  return typeof known === "string" ? known : JSON.stringify(known);
}

/** The texts that differ from the defaults. Only these are in the address. */
export const givenTexts = (parameters: readonly Parameter[], texts: ReadonlyMap<string, string>): [name: string, text: string][] =>
  parameters.flatMap((parameter) => {
    const text = (texts.get(parameter.name) ?? "").trim();
    return text === usualText(parameter) ? [] : [[parameter.name, text] as [string, string]];
  });
