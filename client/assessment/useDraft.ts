import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { FormValues } from "./formValues.ts";
import { forgetWork, keepWork, onForgottenElsewhere } from "./keptWork.ts";
import type { KeptWork } from "./keptWork.ts";

const pauseMs = 250;
/** What the device fills in by itself is no reason to keep a draft. */
const byDevice = new Set(["latitude", "longitude"]);

type Subject = Omit<KeptWork, "values" | "status" | "keptAt">;

/** Keeps what is typed on this device, as one types. Answers whether it is kept, and how to stop keeping or to forget it. */
export function useDraft(form: UseFormReturn<FormValues>, subject: Subject, isOn: boolean) {
  const [state, setState] = useState<"none" | "kept" | "failed">("none");
  const now = useRef(subject);
  const isEnded = useRef(false);
  /** whether something was typed here, and not only brought back */
  const isOwn = useRef(false);
  useEffect(() => {
    now.current = subject;
  });

  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = () => {
      clearTimeout(timer);
      timer = undefined;
      if (isEnded.current) return;
      isOwn.current = true;
      setState(keepWork({ ...now.current, values: form.getValues(), status: "draft" }) ? "kept" : "failed");
    };
    const keepPending = () => {
      if (timer !== undefined) keep();
    };
    const subscription = form.watch((_, { name }) => {
      if (isEnded.current || name === undefined || byDevice.has(name)) return;
      clearTimeout(timer);
      timer = setTimeout(keep, pauseMs);
    });
    window.addEventListener("pagehide", keepPending);
    // The same draft, open in two windows: what the other one has sent is not what was typed in this one.
    const stopHearing = onForgottenElsewhere(now.current, () => {
      if (isOwn.current) keep();
    });
    return () => {
      keepPending();
      stopHearing();
      subscription.unsubscribe();
      window.removeEventListener("pagehide", keepPending);
    };
  }, [form, isOn]);

  /** From here on the work is kept by whoever saves it (true), or is kept as it is typed again (false). */
  const end = useCallback((ended: boolean) => {
    isEnded.current = ended;
  }, []);
  const discard = useCallback(() => {
    forgetWork(now.current);
    isOwn.current = false;
    setState("none");
  }, []);
  return { state, end, discard };
}
