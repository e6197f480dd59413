import { Checkbox } from "@blueprintjs/core";
import type { UseFormRegisterReturn } from "react-hook-form";
import { TextField } from "./TextField.tsx";

const mostLetters = 128;

/** The rule of the name, for `register`. */
export const nameRule = { validate: (name: string) => name.trim() !== "" || "is required" };

/** Shows what was wrong: below the name, or above the form. */
export function showNameFaults(
  setError: (name: "name" | "root", error: { message: string }, options?: { shouldFocus: boolean }) => void,
  failure: string | undefined,
  faults: readonly { path: string; message: string }[] = [],
): void {
  for (const { path, message } of faults)
    setError(path === "name" ? "name" : "root", { message }, { shouldFocus: true });
  if (failure !== undefined) setError("root", { message: failure });
}

type NameAndShareFieldsProps = {
  name: UseFormRegisterReturn;
  error: string | undefined;
  shared: UseFormRegisterReturn;
  label: string;
  /** Who sees what is shared. */
  readers: string;
};

/** What a person names and may share with others: a field list, a view, a question. */
export function NameAndShareFields({
  name,
  error,
  shared: { ref, ...shared },
  label,
  readers,
}: NameAndShareFieldsProps) {
  return (
    <>
      <TextField autoComplete="off" error={error} field={name} isName label={label} maxLength={mostLetters} />
      <Checkbox {...shared} inputRef={ref} label={`Share with everybody who ${readers}`} />
    </>
  );
}
