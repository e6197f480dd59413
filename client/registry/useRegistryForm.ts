import { useState } from "react";
import { type DefaultValues, type FieldPath, type FieldValues, get, useForm } from "react-hook-form";
import { type Answer, faultWords, type Refusal } from "./registryCalls.ts";

/**
 * A form whose calls may be refused: the server's errors are shown at the fields of their paths, the others above the
 * form.
 */
export function useRegistryForm<Values extends FieldValues>(defaultValues: DefaultValues<Values>) {
  const form = useForm<Values>({ defaultValues });
  const { setError, clearErrors, getValues, formState } = form;
  const [isStale, setStale] = useState(false);
  /** Shows why nothing was saved. */
  const refuse = ({ status, message, faults }: Refusal) => {
    setStale(status === 412);
    const isField = ({ path }: { path: string }) => get(getValues(), path) !== undefined;
    for (const { path, message: words } of faults.filter(isField))
      setError(path as FieldPath<Values>, { message: words }, { shouldFocus: true });
    const others = faults.filter((fault) => !isField(fault)).map(faultWords);
    if (others.length > 0 || faults.length === 0) setError("root", { message: others.join("; ") || message });
  };
  /** Sends the call. Returns its body and the new ETag, or undefined if it was refused. */
  const send = async <Body>(call: Promise<Answer<Body>>): Promise<{ body: Body; etag: string } | undefined> => {
    setStale(false);
    clearErrors("root");
    const answer = await call;
    if (answer.refusal) refuse(answer.refusal);
    return answer.refusal ? undefined : answer;
  };
  return {
    ...form,
    errors: formState.errors,
    isBusy: formState.isSubmitting,
    refusal: { message: formState.errors.root?.message, isStale },
    refuse,
    send,
  };
}
