import type { KeyboardEvent, MouseEvent, SyntheticEvent } from "react";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { confirm, fieldOf } from "./carried.ts";
import type { FormValues } from "./formValues.ts";

const inputOf = ({ target }: SyntheticEvent) =>
  target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
    ? target
    : undefined;

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Whether Enter stops at it: a field that is shown and can be filled in; of a choice only the chosen one. */
function isStop(element: Element): element is Field {
  if (element.getClientRects().length === 0) return false;
  if (!(element instanceof HTMLInputElement))
    return (element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement) && !element.disabled;
  return !element.disabled && !element.readOnly && (element.type !== "radio" || element.checked);
}

/** Moves the focus to the field after this one; after the last one to the button that leads on, or saves. */
function goOn(from: Field): void {
  const all = [...(from.form?.elements ?? [])];
  const next = all
    .slice(all.indexOf(from) + 1)
    .filter(isStop)
    .find(({ name }) => name !== from.name);
  (next ?? from.form?.querySelector<HTMLElement>(".assessment-next"))?.focus();
}

/** Event handlers of the whole form, for when a field is changed or left. */
export function formEvents(form: UseFormReturn<FormValues>) {
  const seen = (name: string) => {
    const field = fieldOf(form.getValues(), name);
    confirm(form, (one) => one === field);
  };
  return {
    /**
     * A carried-over answer that is changed becomes an answer of this visit. Called after the handler of the field
     * itself.
     */
    onChange: (event: SyntheticEvent) => {
      const input = inputOf(event);
      if (!input?.name) return;
      const name = input.name as FieldPath<FormValues>;
      seen(name);
      // A field with an error is checked again at each key until it is right.
      if (form.getFieldState(name).invalid) void form.trigger(name);
    },
    /**
     * Enter moves on to the next field and never saves. In a text of several lines it begins a new line, on a button it
     * presses the button.
     */
    onKeyDown: (event: KeyboardEvent) => {
      const input = inputOf(event);
      if (event.key !== "Enter" || event.nativeEvent.isComposing || !input || input instanceof HTMLTextAreaElement)
        return;
      event.preventDefault();
      goOn(input);
    },
    /** The same choice again confirms a carried-over answer too. The browser fires no change event for it. */
    onClick: (event: MouseEvent) => {
      const input = inputOf(event);
      if (input?.type === "radio") seen(input.name);
    },
    /**
     * A text is checked when it is left. A missing required answer is counted beside Save, and marked as an error at
     * Save.
     */
    onBlur: (event: SyntheticEvent) => {
      const input = inputOf(event);
      const isText = input && input.type !== "radio" && input.type !== "checkbox";
      if (isText && input.name && input.value.trim() !== "") void form.trigger(input.name as FieldPath<FormValues>);
    },
  };
}
