import type { MouseEvent, SyntheticEvent } from "react";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { confirm, fieldOf } from "./carried.ts";
import type { FormValues } from "./formValues.ts";

const inputOf = ({ target }: SyntheticEvent) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement ? target : undefined;

/** What the form does as a whole when one of its fields is changed or left. */
export function formEvents(form: UseFormReturn<FormValues>) {
  const seen = (name: string) => {
    const field = fieldOf(form.getValues(), name);
    confirm(form, (one) => one === field);
  };
  return {
    /** An answer of the last visit that is changed is an answer of this one. (`onChange` of a form is told at each key by React alone.) */
    onInput: (event: SyntheticEvent) => {
      const input = inputOf(event);
      if (!input?.name) return;
      const name = input.name as FieldPath<FormValues>;
      seen(name);
      // What is told to be wrong is looked at again at each key, until it is right.
      if (form.getFieldState(name).invalid) void form.trigger(name);
    },
    /** So is one that is chosen once more, of which the browser tells no change. */
    onClick: (event: MouseEvent) => {
      const input = inputOf(event);
      if (input?.type === "radio") seen(input.name);
    },
    /** A text is checked when it is left. What is required and empty is counted beside Save, and told when one saves. */
    onBlur: (event: SyntheticEvent) => {
      const input = inputOf(event);
      const isText = input && input.type !== "radio" && input.type !== "checkbox";
      if (isText && input.name && input.value.trim() !== "") void form.trigger(input.name as FieldPath<FormValues>);
    },
  };
}
