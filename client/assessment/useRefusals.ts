import { useCallback, useEffect, useRef, useState } from "react";
import type { FieldPath, UseFormReturn } from "react-hook-form";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import type { FormValues } from "./formValues.ts";
import { isDayOf, visitTimePath } from "./keptForm.ts";
import type { FieldError, KeptWork } from "./keptWork.ts";
import { dayIn } from "../ui/text/instants.ts";

/** The server's errors at their fields: those of this save, and those of the save after which the stored work waits. */
export function useRefusals(
  form: UseFormReturn<FormValues>,
  kept: KeptWork | undefined,
  isNew: boolean,
  goToFirst: (fields: readonly string[]) => void,
) {
  const { timeZone } = useSystem();
  const { setError, setValue, getValues } = form;
  const [isDayRefused, setDayRefused] = useState(false);

  const showRefused = useCallback(
    (errors: FieldError[]) => {
      if (isNew && isDayOf(errors)) {
        if (!getValues("visitDay")) setValue("visitDay", dayIn(now(), timeZone));
        setDayRefused(true);
      }
      const fields = errors.map(({ path, message }) => {
        const isField = path in getValues() || path.includes(".");
        const field = isNew && path === visitTimePath ? "visitDay" : isField ? (path as FieldPath<FormValues>) : "root";
        setError(field, { message });
        return field;
      });
      // After the field of the day is there.
      requestAnimationFrame(() => goToFirst(fields.filter((field) => field !== "root")));
    },
    [getValues, goToFirst, isNew, setError, setValue, timeZone],
  );

  const before = useRef(kept?.reason?.errors);
  useEffect(() => {
    if (before.current) showRefused(before.current);
    before.current = undefined;
  }, [showRefused]);

  return { isDayRefused, showRefused, forgetRefused: useCallback(() => setDayRefused(false), []) };
}
