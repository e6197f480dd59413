import { HTMLSelect, InputGroup } from "@blueprintjs/core";
import { encodings } from "../../../gateway/registry/reading/reading.rules.ts";
import { Field } from "../../ui/field/Field.tsx";
import { Fact, FactList } from "../../ui/page/FactList.tsx";
import { counted } from "../../ui/text/counted.ts";
import { encodingTitles, formatTitles } from "../listWords.ts";
import type { Changes, ListReading } from "./listReading.ts";

type ReadFormatFormProps = {
  reading: ListReading;
  changes: Changes;
  change: (values: Partial<Changes>) => void;
  isFixed: boolean;
};

/** The format of a list, and how it is read: encoding, sheet, line with the headings, level of the facilities. */
export function ReadFormatForm({ reading, changes, change, isFixed }: ReadFormatFormProps) {
  return (
    <div className="grid">
      <FactList>
        <Fact label="Format" unknown="–">
          {formatTitles[reading.format]}
        </Fact>
        <Fact label="Rows" unknown="–">
          {reading.rows}
        </Fact>
      </FactList>
      {reading.encoding ? (
        <Field
          help={reading.isEncodingSure ? undefined : "A guess: look at the names with accents below"}
          label="Encoding"
        >
          {(control) => (
            <HTMLSelect
              {...control}
              disabled={isFixed}
              fill
              onChange={({ currentTarget }) => change({ encoding: currentTarget.value })}
              options={encodings.map((value) => ({ value, label: encodingTitles[value] ?? value }))}
              value={changes.encoding ?? reading.encoding ?? ""}
            />
          )}
        </Field>
      ) : null}
      {reading.sheets.length > 1 ? (
        <Field label="Sheet">
          {(control) => (
            <HTMLSelect
              {...control}
              disabled={isFixed}
              fill
              onChange={({ currentTarget }) => change({ sheet: currentTarget.value })}
              options={[...reading.sheets]}
              value={changes.sheet ?? reading.sheet ?? ""}
            />
          )}
        </Field>
      ) : null}
      {reading.format === "CSV" || reading.format === "XLSX" ? (
        <Field label="Line with the headings">
          {(control) => (
            <InputGroup
              {...control}
              disabled={isFixed}
              inputMode="numeric"
              onChange={({ currentTarget }) => change({ headerLine: currentTarget.value.replaceAll(/\D/g, "") })}
              value={changes.headerLine ?? String(reading.headerLine)}
            />
          )}
        </Field>
      ) : null}
      {reading.levels.length > 0 ? (
        <Field help="The units of this level are read as facilities" label="Level of the facilities">
          {(control) => (
            <HTMLSelect
              {...control}
              disabled={isFixed}
              fill
              onChange={({ currentTarget }) => change({ level: Number(currentTarget.value) })}
              options={reading.levels.map(({ level, units, examples }) => ({
                value: level,
                label: `${level}: ${counted(units, "unit")} (${examples.join(", ")})`,
              }))}
              value={changes.level ?? reading.levels.find(({ isChosen }) => isChosen)?.level ?? ""}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
