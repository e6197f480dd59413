import { createContext, useCallback, useContext, useEffect, useRef } from "react";
import { NavigationType, useLocation, useNavigate, useNavigationType } from "react-router-dom";
import { headingIdOf, stepNames, stepOf, steps } from "./formSections.ts";
import type { StepName } from "./formSections.ts";

/** Where the form stands: its step is in the address, so that a reload and the browser's Back show it again. */

/** The step that is shown alone; null where there is room for all of them. */
export const ShownStep = createContext<StepName | null>(null);

/** Whether something that belongs to these steps is shown. */
export function useIsShown(...of: StepName[]): boolean {
  const shown = useContext(ShownStep);
  return shown === null || of.includes(shown);
}

/** Focuses a field by its name; of a choice the chosen one. Returns whether it is there. */
export function focusField(name: string): boolean {
  const fields = [...document.getElementsByName(name)] as HTMLInputElement[];
  const field = fields.find(({ type, checked }) => type === "radio" && checked) ?? fields[0];
  field?.focus();
  return field !== undefined;
}

/** Moves the focus to a step's heading, and scrolls there. */
function focusHeading(step: StepName, isScrolled: boolean): void {
  const heading = document.getElementById(headingIdOf(steps[step].begin));
  if (isScrolled) heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

/** The first of these fields on the page. */
const firstOf = (names: readonly string[]): string | undefined =>
  [...document.querySelectorAll<HTMLInputElement>(".assessment-form [name]")].find(({ name }) => names.includes(name))
    ?.name;

/** The parameters of the address with another step. */
export function searchAt(search: string, step: StepName): string {
  const params = new URLSearchParams(search);
  params.set("step", step);
  return `${params}`;
}

/** The form's step, and what leads to another one. */
export function useSteps() {
  const navigate = useNavigate();
  const { search, state } = useLocation();
  const isBack = useNavigationType() === NavigationType.Pop;
  const wanted = new URLSearchParams(search).get("step");
  const step = stepNames.find((name) => name === wanted) ?? "power";
  const place = stepNames.indexOf(step);

  const shown = useRef(step);
  const field = useRef<string>(undefined);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (!field.current || !focusField(field.current)) focusHeading(step, !isBack);
    field.current = undefined;
  }, [step, isBack]);

  /** Leads to a step: to one of its fields, or to its heading. */
  const goTo = useCallback(
    (next: StepName, name?: string) => {
      if (next === step) {
        if (!name || !focusField(name)) focusHeading(step, true);
        return;
      }
      field.current = name;
      navigate({ search: searchAt(search, next) }, { preventScrollReset: true, state: { from: step } });
    },
    [navigate, search, step],
  );

  /** Leads to a field, wherever it is. */
  const goToField = useCallback((name: string) => goTo(stepOf(name) ?? step, name), [goTo, step]);

  /** Leads to the first of these fields in the order of the steps. */
  const goToFirst = useCallback(
    (names: readonly string[]) => {
      if (names.length === 0) return;
      const first = stepNames.find((one) => names.some((name) => stepOf(name) === one));
      const inStep = names.filter((name) => stepOf(name) === first);
      goTo(first ?? step, firstOf(inStep) ?? inStep[0]);
    },
    [goTo, step],
  );

  const previous = stepNames[place - 1];
  const next = stepNames[place + 1];
  return {
    step,
    goTo,
    goToField,
    goToFirst,
    next: next && (() => goTo(next)),
    /** The browser's own way back, if it leads to the step before. */
    back:
      previous &&
      (() => {
        if ((state as { from?: StepName } | null)?.from === previous) navigate(-1);
        else goTo(previous);
      }),
  };
}
