import { useSearchParams } from "react-router-dom";
import { wordsOf } from "../../gateway/audit/events.rules.ts";
import { auditParameters } from "../../gateway/audit/listFilter.rules.ts";
import type { ListParameter } from "../../gateway/input/listParameters.rules.ts";
import { ParameterField } from "../ui/filter/FilterFields.tsx";

type AuditFilterFormProps = {
  /** All kinds of events that are in the audit. */
  actions: readonly string[];
};

/** The filters of the audit. Only kinds of events that exist are offered. */
export function AuditFilterForm({ actions }: AuditFilterFormProps) {
  const [url] = useSearchParams();
  const chosen = url.get("action");
  const named = [...new Set([...(chosen ? [chosen] : []), ...actions])]
    .map((action) => [action, wordsOf(action)] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other));
  const parameters: Record<string, ListParameter> = {
    ...auditParameters,
    action: { ...auditParameters.action, choices: Object.fromEntries(named) },
  };
  return (
    <>
      {Object.entries(parameters).map(([name, parameter]) => (
        <ParameterField key={name} name={name} parameter={parameter} value={url.get(name) ?? ""} />
      ))}
    </>
  );
}
