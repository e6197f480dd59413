import { Button, Intent } from "@blueprintjs/core";
import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import type { z } from "zod";
import { auditFilterRules, outcomes } from "../../gateway/audit/audit.rules.ts";
import { wordsOf } from "../../gateway/audit/events.rules.ts";
import type { AuditFilter } from "../../gateway/audit/audit.rules.ts";
import { SelectField } from "../ui/field/SelectField.tsx";
import { TextField } from "../ui/field/TextField.tsx";
import "./AuditFilterForm.css";

type Fields = Record<keyof AuditFilter, string>;

const given = (fields: object) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
const outcomeOptions = [{ value: "", label: "All" }, ...Object.entries(outcomes).map(([value, label]) => ({ value, label }))];

type AuditFilterFormProps = { filter: AuditFilter; actions: readonly string[]; onFilter: (filter: AuditFilter) => void };

/** What the list of events is narrowed to. */
export function AuditFilterForm({ filter, actions, onFilter }: AuditFilterFormProps) {
  const resolve = zodResolver<z.input<typeof auditFilterRules>, unknown, AuditFilter>(auditFilterRules);
  const { register, handleSubmit, formState } = useForm<Fields, unknown, AuditFilter>({
    defaultValues: {
      who: filter.who ?? "",
      action: filter.action ?? "",
      outcome: filter.outcome ?? "",
      start: filter.start ?? "",
      end: filter.end ?? "",
      about: filter.about ?? "",
    },
    resolver: (fields, context, options) => resolve(given(fields), context, options as never) as never,
  });
  const { errors } = formState;
  // The chosen action stays choosable while the list of actions is on its way.
  const listed = [...new Set([...(filter.action ? [filter.action] : []), ...actions])]
    .map((action) => ({ value: action, label: wordsOf(action) }))
    .toSorted((a, b) => a.label.localeCompare(b.label));

  return (
    <form className="card audit-filter" aria-label="Filter" noValidate onSubmit={(event) => void handleSubmit(onFilter)(event)}>
      <TextField label="Who" field={register("who")} error={errors.who?.message} help="User name or e-mail" autoComplete="off" />
      <SelectField
        key={listed.length}
        label="What"
        field={register("action")}
        error={errors.action?.message}
        options={[{ value: "", label: "All" }, ...listed]}
      />
      <SelectField label="Outcome" field={register("outcome")} error={errors.outcome?.message} options={outcomeOptions} />
      <TextField label="Start" field={register("start")} type="date" error={errors.start?.message} />
      <TextField label="End" field={register("end")} type="date" error={errors.end?.message} />
      <TextField
        label="Facility or user"
        field={register("about")}
        error={errors.about?.message}
        help="HMIS code or user name"
        autoComplete="off"
      />
      <div className="audit-filter-buttons">
        <Button intent={Intent.PRIMARY} text="Apply filter" type="submit" />
        <Button onClick={() => onFilter({})} text="Clear" />
      </div>
    </form>
  );
}
