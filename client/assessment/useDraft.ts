import { useCallback, useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import { positionNames } from "../../gateway/assessment/fields.rules.ts";
import { isSecure, NotKept } from "../store/database.ts";
import type { Reason } from "../store/database.ts";
import { beforeClosing } from "../store/store.ts";
import type { FormValues } from "./formValues.ts";
import { discardWork, keepTyped, onTaken } from "./keptWork.ts";
import type { FormWork, KeptWork } from "./keptWork.ts";

const pauseMs = 250;
/** The longest time that typing without a pause stays unstored. */
const lagMs = 1500;
/** Fields that the device fills in are no reason to store a draft. */
const byDevice = new Set<string>(positionNames);

type Subject = Omit<FormWork, "workId" | "isWaiting" | "values">;

let isAsked = false;
/** Asks the browser once not to delete stored data when the device runs out of space. */
function askToPersist(): void {
  if (isAsked) return;
  isAsked = true;
  void navigator.storage?.persist?.().catch(() => false);
}

/**
 * Stores what is typed on this device while the person types. Returns whether it is stored, and functions that stop
 * this or delete it.
 */
export function useDraft(form: UseFormReturn<FormValues>, subject: Subject, kept: KeptWork | undefined) {
  const nothing = isSecure ? "none" : "insecure";
  const [state, setState] = useState<"none" | "kept" | Reason>(nothing);
  const now = useRef(subject);
  const record = useRef({ workId: kept?.workId ?? subject.assessmentUuid, isWaiting: kept?.status === "waiting" });
  const isEnded = useRef(false);
  /** whether something was typed here, and not only restored */
  const isOwn = useRef(false);
  const cancel = useRef(() => {});
  useEffect(() => {
    now.current = subject;
  });

  /** The record and what it is about, with these values. */
  const workWith = useCallback((values: FormValues): FormWork => ({ ...now.current, ...record.current, values }), []);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let pendingSince: number | undefined;
    let keeping = Promise.resolve();
    const keepNow = async () => {
      if (isEnded.current) return;
      isOwn.current = true;
      askToPersist();
      try {
        const { workId } = await keepTyped(workWith(form.getValues()));
        if (workId !== record.current.workId) record.current = { workId, isWaiting: false };
        setState("kept");
      } catch (error) {
        setState(error instanceof NotKept ? error.reason : "refused");
      }
    };
    cancel.current = () => {
      clearTimeout(timer);
      pendingSince = undefined;
    };
    const keep = () => {
      cancel.current();
      keeping = keeping.then(keepNow);
      return keeping;
    };
    const keepPending = () => (pendingSince === undefined ? keeping : keep());
    const keepHidden = () => {
      if (document.visibilityState === "hidden") void keepPending();
    };
    const subscription = form.watch((_, { name }) => {
      if (isEnded.current || name === undefined || byDevice.has(name)) return;
      clearTimeout(timer);
      pendingSince ??= Date.now();
      timer = setTimeout(() => void keep(), Math.min(pauseMs, Math.max(0, pendingSince + lagMs - Date.now())));
    });
    document.addEventListener("visibilitychange", keepHidden);
    const callOff = beforeClosing(keepPending);
    // The same draft may be open in two windows. If the other one saves it, this one stores its own text as a record of
    // its own.
    const stopHearing = onTaken(record.current.workId, () => {
      if (isOwn.current) void keep();
    });
    return () => {
      void keepPending();
      stopHearing();
      callOff();
      subscription.unsubscribe();
      document.removeEventListener("visibilitychange", keepHidden);
    };
  }, [form, workWith]);

  /** true: from here on the save stores the work; false: typing stores it again. */
  const end = useCallback((ended: boolean) => {
    isEnded.current = ended;
  }, []);
  /** What is typed from here on corrects what was saved. */
  const correct = useCallback(() => {
    record.current = { ...record.current, isWaiting: true };
  }, []);
  /** Deletes the draft. What is typed from here on belongs to this assessment. */
  const discard = useCallback(
    async (assessmentUuid: string) => {
      cancel.current();
      await discardWork(record.current.workId).catch(() => {});
      record.current = { workId: assessmentUuid, isWaiting: false };
      isOwn.current = false;
      setState(nothing);
    },
    [nothing],
  );
  return { state, end, discard, correct, workWith };
}
