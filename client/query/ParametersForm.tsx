import { Button, FormGroup, HTMLSelect, InputGroup, Intent } from "@blueprintjs/core";
import { type FormEvent, useId, useState } from "react";
import { DayInput } from "../ui/field/DayInput.tsx";
import { givenTexts, isRequired, kindOf, type Parameter, usualText } from "./parameterValues.ts";
import "./ParametersForm.css";

const inputTypes = { whole: "number", number: "number" } as const;
const hints: Partial<Record<ReturnType<typeof kindOf>, string>> = { choices: "Several with commas between them" };

function ParameterField({ parameter, text }: { parameter: Parameter; text: string }) {
  const id = useId();
  const [day, setDay] = useState(text);
  const kind = kindOf(parameter);
  const { name, choices } = parameter;
  const required = isRequired(parameter);
  const options = kind === "flag" ? ["true", "false"] : kind === "choice" ? choices : null;
  const hint = kind === "choices" && choices ? `Of ${choices.join(", ")}; several with commas between them` : hints[kind];
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
        <InputGroup defaultValue={text} id={id} name={name} required={required} step={kind === "number" ? "any" : undefined} type={inputTypes[kind as keyof typeof inputTypes] ?? "text"} />
      )}
    </FormGroup>
  );
}

type ParametersFormProps = { parameters: Parameter[]; given: URLSearchParams; onGiven: (given: [name: string, text: string][]) => void };

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
        <ParameterField key={parameter.name} parameter={parameter} text={given.get(parameter.name) ?? usualText(parameter)} />
      ))}
      <Button intent={Intent.PRIMARY} text="Answer" type="submit" />
    </form>
  );
}
