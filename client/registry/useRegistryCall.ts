import { useState } from "react";
import type { Answer, Refusal } from "./registryCalls.ts";

/** A call of a form: whether it is under way, and why the last one was refused. */
export function useRegistryCall() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  return {
    isBusy,
    refusal,
    isStale: refusal?.status === 412,
    /** Shows this instead of what the server said. */
    refuse: setRefusal,
    /** What is wrong with a field. */
    faultOf: (path: string) => refusal?.faults.find((fault) => fault.path === path)?.message,
    /** What is wrong and belongs to none of these fields. */
    otherFault: (isField: (path: string) => boolean) => {
      if (!refusal) return undefined;
      const others = refusal.faults.filter(({ path }) => !isField(path));
      if (others.length > 0) return others.map(({ path, message }) => `${path} ${message}`.trim()).join("; ");
      return refusal.faults.length > 0 ? undefined : refusal.message;
    },
    /** Sends it; answers its body and the new state's tag, or nothing where it was refused. */
    send: async <Body>(call: () => Promise<Answer<Body>>): Promise<{ body: Body; etag: string } | undefined> => {
      setBusy(true);
      const answer = await call();
      setBusy(false);
      setRefusal(answer.refusal);
      return answer.refusal ? undefined : answer;
    },
  };
}
