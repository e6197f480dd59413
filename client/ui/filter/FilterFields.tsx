import { Checkbox, FormGroup, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { useId, useState } from "react";
import { flagTexts, isTextOf, type ListParameter, wordsOf } from "../../../gateway/input/listParameters.rules.ts";
import { DayInput } from "../field/DayInput.tsx";
import { useListAddress } from "./listAddress.ts";

type FieldProps = {
  /** The search parameter. */
  name: string;
  /** Its present value. */
  value: string;
  /** The search parameter that holds the list's page. */
  pageName?: string | undefined;
};
type ChoiceFieldProps = FieldProps & {
  label: string;
  options: readonly (readonly [value: string, words: string])[];
  /** Another search parameter, which is removed because a new choice makes it meaningless. */
  clears?: string;
};

/** One choice. The empty choice removes the parameter from the address. */
export function FilterChoiceField({ label, name, value, options, clears, pageName }: ChoiceFieldProps) {
  const id = useId();
  const change = useListAddress(pageName);
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        fill
        id={id}
        onChange={(event) => change({ [name]: event.currentTarget.value, ...(clears ? { [clears]: "" } : {}) })}
        value={value}
      >
        <option value="">Any</option>
        {options.map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </HTMLSelect>
    </FormGroup>
  );
}

/** In the choice of a range: a day. */
const ofOwn = "day";
type ParameterFieldProps = FieldProps & { parameter: ListParameter };

/** A text, a number or a day. It takes effect when the field is left, or on Enter. */
function TypedField({ name, parameter, value, pageName }: ParameterFieldProps) {
  const id = useId();
  const change = useListAddress(pageName);
  const [seen, setSeen] = useState(value);
  const [typed, setTyped] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setTyped(value);
  }
  const isWrong = typed !== "" && !isTextOf(parameter, typed);
  const commit = (text: string) => {
    if ((text === "" || isTextOf(parameter, text)) && text !== value) change({ [name]: text });
  };
  return (
    <FormGroup helperText={isWrong ? "This cannot be asked for." : undefined} label={parameter.label} labelFor={id}>
      {parameter.kind === "day" ? (
        <DayInput id={id} label={parameter.label} onChange={setTyped} onCommit={commit} value={typed} />
      ) : (
        <InputGroup
          aria-invalid={isWrong || undefined}
          autoComplete="off"
          id={id}
          inputMode={parameter.kind === "count" ? "numeric" : undefined}
          maxLength={256}
          onBlur={() => commit(typed.trim())}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") commit(typed.trim());
          }}
          value={typed}
        />
      )}
    </FormGroup>
  );
}

/** A range relative to today, or a day of one's own. */
function SinceField(field: ParameterFieldProps) {
  const { name, parameter, value, pageName } = field;
  const { label, choices = {} } = parameter;
  const id = useId();
  const change = useListAddress(pageName);
  const [isDay, setDay] = useState(false);
  const isRange = value in choices;
  const chosen = isDay || (value !== "" && !isRange) ? ofOwn : value;
  const choose = (text: string) => {
    setDay(text === ofOwn);
    if (text !== ofOwn) change({ [name]: text });
  };
  return (
    <>
      <FormGroup label={label} labelFor={id}>
        <HTMLSelect fill id={id} onChange={(event) => choose(event.currentTarget.value)} value={chosen}>
          <option value="">Any</option>
          {Object.entries(choices).map(([one, words]) => (
            <option key={one} value={one}>
              {capital(words)}
            </option>
          ))}
          <option value={ofOwn}>Since a day …</option>
        </HTMLSelect>
      </FormGroup>
      {chosen === ofOwn ? (
        <TypedField {...field} parameter={{ ...parameter, label: `${label} since` }} value={isRange ? "" : value} />
      ) : null}
    </>
  );
}

/** A choice of several values. The address has them in the catalogue's order. */
function ChoicesField({ name, parameter: { label, choices = {} }, value, pageName }: ParameterFieldProps) {
  const change = useListAddress(pageName);
  const chosenIn = (text: string | null | undefined) => (text ? text.split(",") : []);
  const chosen = chosenIn(value);
  const toggle = (toggled: string) =>
    change((now) => {
      const before = chosenIn(now.get(name));
      return {
        [name]: Object.keys(choices)
          .filter((one) => (one === toggled) !== before.includes(one))
          .join(","),
      };
    });
  return (
    <fieldset className="is-wide">
      <legend>{label}</legend>
      {Object.entries(choices).map(([one, words]) => (
        <Checkbox checked={chosen.includes(one)} inline key={one} label={words} onChange={() => toggle(one)} />
      ))}
    </fieldset>
  );
}

const capital = (words: string) => words[0]!.toUpperCase() + words.slice(1);

/** The field for a parameter of a catalogue. */
export function ParameterField({ parameter, ...field }: ParameterFieldProps) {
  if (parameter.kind === "choices") return <ChoicesField {...field} parameter={parameter} />;
  if (parameter.kind === "choice")
    return <FilterChoiceField {...field} label={parameter.label} options={Object.entries(parameter.choices ?? {})} />;
  if (parameter.kind === "day" && parameter.choices) return <SinceField {...field} parameter={parameter} />;
  if (parameter.kind !== "flag") return <TypedField {...field} parameter={parameter} />;
  return (
    <FilterChoiceField
      {...field}
      label={parameter.label}
      options={flagTexts(parameter).map((text) => [text, capital(wordsOf(parameter, text))])}
    />
  );
}
