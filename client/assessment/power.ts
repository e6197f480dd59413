import type { FormValues } from "./formValues.ts";

/** What the form does with an answer to whether a source of power is there. */

export type PowerName = "primaryPower" | "backupPower";

/**
 * Whether the source works, after somebody has said whether it is there. What is absent does not work (the
 * specification's rule). Whether a source works that was absent until now, or that nobody has checked, is not known.
 */
export function worksAfter(
  isThere: boolean | null,
  before: { isThere: boolean | null; works: boolean | null },
): boolean | null {
  if (isThere === false) return false;
  return isThere === null || before.isThere === false ? null : before.works;
}

type Form = {
  getValues: () => FormValues;
  setValue: (name: PowerName | `${PowerName}Working`, value: boolean | null, options: { shouldDirty: boolean }) => void;
};

/** Answers whether a source of power is there. */
export function answerPower({ getValues, setValue }: Form, power: PowerName, isThere: boolean | null): void {
  const { [power]: before, [`${power}Working` as const]: works } = getValues();
  setValue(power, isThere, { shouldDirty: true });
  setValue(`${power}Working`, worksAfter(isThere, { isThere: before, works }), { shouldDirty: true });
}
