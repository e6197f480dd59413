import { type FormEvent, useState } from "react";
import type { Answer, Refusal } from "./registryCalls.ts";

/** The call of a form: whether it is running, and why the last one was refused. */
export function useRegistryCall() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  return {
    isBusy,
    refusal,
    isStale: refusal?.status === 412,
    /** Shows this in place of the server's message. */
    refuse: setRefusal,
    /** The error of a field. */
    faultOf: (path: string) => refusal?.faults.find((fault) => fault.path === path)?.message,
    /** The errors that belong to none of these fields. */
    otherFault: (isField: (path: string) => boolean) => {
      if (!refusal) return undefined;
      const others = refusal.faults.filter(({ path }) => !isField(path));
      if (others.length > 0) return others.map(({ path, message }) => `${path} ${message}`.trim()).join("; ");
      return refusal.faults.length > 0 ? undefined : refusal.message;
    },
    /** For the form's `onInput`: removes the fault of the edited field. Fields have their paths as names. */
    onEdit: ({ target }: FormEvent) => {
      const faults = refusal?.faults.filter(({ path }) => path !== (target as HTMLInputElement).name);
      if (refusal && faults && faults.length < refusal.faults.length) setRefusal(faults.length > 0 ? { ...refusal, faults } : undefined);
    },
    /** Sends the call. Returns its body and the new ETag, or undefined if it was refused. */
    send: async <Body>(call: () => Promise<Answer<Body>>): Promise<{ body: Body; etag: string } | undefined> => {
      setBusy(true);
      const answer = await call();
      setBusy(false);
      setRefusal(answer.refusal);
      return answer.refusal ? undefined : answer;
    },
  };
}
