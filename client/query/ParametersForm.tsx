import { Button, FormGroup, HTMLSelect, InputGroup, Intent } from "@blueprintjs/core";
import { type FormEvent, useId, useState } from "react";
import { DayInput } from "../ui/field/DayInput.tsx";
import "./ParametersForm.css";

type Parameter = { name: string; type: string; value: string | null; choices: string[] | null };
type ParameterKind = "choice" | "choices" | "flag" | "whole" | "number" | "date" | "text";

const bare = (type: string) => type.replaceAll(/[![\]]/g, "");

/** Whether the query needs the parameter. */
const isRequired = ({ type }: Parameter): boolean => type.endsWith("!");

function kindOf({ type, choices }: Parameter): ParameterKind {
  const isList = type.startsWith("[");
  if (choices && !isList) return "choice";
  if (isList) return "choices";
  const named: Record<string, ParameterKind> = { Boolean: "flag", Int: "whole", Float: "number", Date: "date" };
  return named[bare(type)] ?? "text";
}

/** The default of a parameter, as the text of an address. */
function usualText({ value }: Parameter): string {
  if (value === null) return "";
  const known = JSON.parse(value) as unknown;
  if (Array.isArray(known)) return known.join(",");
  return typeof known === "string" ? known : JSON.stringify(known);
}

/** The texts that differ from the defaults. Only these are in the address. */
const givenTexts = (
  parameters: readonly Parameter[],
  texts: ReadonlyMap<string, string>,
): [name: string, text: string][] =>
  parameters.flatMap((parameter) => {
    const text = (texts.get(parameter.name) ?? "").trim();
    return text === usualText(parameter) ? [] : [[parameter.name, text] as [string, string]];
  });

const inputTypes = { whole: "number", number: "number" } as const;
const hints: Partial<Record<ReturnType<typeof kindOf>, string>> = { choices: "Several with commas between them" };

function ParameterField({ parameter, text }: { parameter: Parameter; text: string }) {
  const id = useId();
  const [day, setDay] = useState(text);
  const kind = kindOf(parameter);
  const { name, choices } = parameter;
  const required = isRequired(parameter);
  const options = kind === "flag" ? ["true", "false"] : kind === "choice" ? choices : null;
  const hint =
    kind === "choices" && choices ? `Of ${choices.join(", ")}; several with commas between them` : hints[kind];
  return (
    <FormGroup helperText={hint} label={name} labelFor={id} labelInfo={required ? "(required)" : ""}>
      {options ? (
        <HTMLSelect defaultValue={text} fill id={id} name={name} required={required}>
          <option value="">{required ? "Choose…" : "Any"}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {kind === "flag" ? { true: "Yes", false: "No" }[option] : option}
            </option>
          ))}
        </HTMLSelect>
      ) : kind === "date" ? (
        <>
          <DayInput id={id} label={name} onChange={setDay} required={required} value={day} />
          <input name={name} type="hidden" value={day} />
        </>
      ) : (
        <InputGroup
          defaultValue={text}
          id={id}
          name={name}
          required={required}
          step={kind === "number" ? "any" : undefined}
          type={inputTypes[kind as keyof typeof inputTypes] ?? "text"}
        />
      )}
    </FormGroup>
  );
}

type ParametersFormProps = {
  parameters: Parameter[];
  given: URLSearchParams;
  onGiven: (given: [name: string, text: string][]) => void;
};

/** A form for the parameters of a saved query. The submitted values are in the address. */
export function ParametersForm({ parameters, given, onGiven }: ParametersFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const texts = new Map([...form].map(([name, text]) => [name, typeof text === "string" ? text : ""]));
    onGiven(givenTexts(parameters, texts));
  };
  return (
    <form className="query-parameters grid" onSubmit={submit}>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          text={given.get(parameter.name) ?? usualText(parameter)}
        />
      ))}
      <Button intent={Intent.PRIMARY} text="Answer" type="submit" />
    </form>
  );
}
