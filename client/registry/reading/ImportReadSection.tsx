import { Button, Callout, HTMLSelect, InputGroup } from "@blueprintjs/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { encodings } from "../../../gateway/registry/reading/reading.rules.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import { graphql } from "../../gql/gql.ts";
import type { ReadRegistryImportInput } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { showError } from "../../shell/toast/toaster.tsx";
import { Field } from "../../ui/field/Field.tsx";
import { BusyButton } from "../../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { Empty } from "../../ui/notice/Empty.tsx";
import { Fact, FactList } from "../../ui/page/FactList.tsx";
import { counted, formatNumber } from "../../ui/text/counted.ts";
import { mutate } from "../../urql.ts";
import { encodingTitles, formatTitles, repairTitles } from "../listWords.ts";
import { RegistrySection } from "../RegistrySection.tsx";
import { type ListReading, spellingKey } from "./listReading.ts";
import { ReadColumnsTable } from "./ReadColumnsTable.tsx";
import { SpellingsTable } from "./SpellingsTable.tsx";

const fragment = graphql(`
  fragment ImportReadSection_ReviewedRegistryImport on ReviewedRegistryImport {
    reading {
      format encoding isEncodingSure delimiter sheets sheet headerLine rows
      columns { heading field manner filled examples }
      fields
      empty { text rows }
      emptyWords
      codes { repair rows examples { read taken } }
      levels { level units examples isChosen }
      places { province district rows means manner }
      notes
      errors { path message }
      errorCount
      source
    }
  }
`);
const readMutation = graphql(`
  mutation ImportReadSection_read($input: ReadRegistryImportInput!) {
    readRegistryImport(input: $input) {
      review { import { uuid } reading { errorCount } }
      errors { path message }
    }
  }
`);
const reviewMutation = graphql(`
  mutation ImportReadSection_review($uuid: String!) {
    reviewRegistryImport(uuid: $uuid) {
      review { import { uuid } }
      errors { path message }
    }
  }
`);

/** What was changed on the screen, and is not read yet. */
type Changes = {
  columns: Record<string, string>;
  places: Record<string, string>;
  encoding?: string;
  sheet?: string;
  headerLine?: string;
  level?: number;
  empty?: string;
  source?: string;
};
const noChanges: Changes = { columns: {}, places: {} };

/** The choices as the call takes them: those of the last reading, with the changes. */
function inputOf(uuid: string, reading: ListReading, changes: Changes): ReadRegistryImportInput {
  // Another line or sheet has other headings, so the columns are guessed again.
  const isOther = [changes.encoding, changes.sheet, changes.headerLine].some((one) => one !== undefined);
  const columns = reading.columns.map(({ heading, field }) => ({
    heading,
    field: (changes.columns[heading] ?? field) || null,
  }));
  const places = reading.places.flatMap((place) => {
    const means = changes.places[spellingKey(place)] ?? (place.manner === "CHOSEN" ? place.means : null);
    return means ? [{ province: place.province, district: place.district, means }] : [];
  });
  const empty = changes.empty?.split(";").map((text) => text.trim()) ?? reading.emptyWords;
  const level = changes.level ?? reading.levels.find(({ isChosen }) => isChosen)?.level;
  return {
    uuid,
    places,
    empty: empty.filter((text) => text !== ""),
    ...(isOther ? {} : { columns }),
    ...(reading.encoding ? { encoding: changes.encoding ?? reading.encoding } : {}),
    ...(reading.sheet ? { sheet: changes.sheet ?? reading.sheet } : {}),
    ...(changes.headerLine || !isOther ? { headerLine: Number(changes.headerLine ?? reading.headerLine) } : {}),
    ...(level === undefined ? {} : { level }),
    source: (changes.source ?? reading.source) || null,
  };
}

const codeColumns: Column<ListReading["codes"][number]>[] = [
  { id: "form", header: "Form", rowHeader: true, cell: ({ repair }) => repairTitles[repair] },
  { id: "rows", header: "Rows", numeric: true, cell: ({ rows }) => formatNumber(rows) },
  {
    id: "examples",
    header: "Examples",
    cell: ({ examples }) =>
      examples.map(({ read, taken }) => (taken === null ? read : `${read} → ${taken}`)).join(", "),
  },
];
const emptyColumns: Column<ListReading["empty"][number]>[] = [
  { id: "text", header: "Text", rowHeader: true, cell: ({ text }) => text },
  { id: "rows", header: "Rows", numeric: true, cell: ({ rows }) => formatNumber(rows) },
];

type ImportReadSectionProps = {
  uuid: string;
  review: FragmentType<typeof fragment>;
  /** Whether the file can be read in another way: nothing of it was applied. */
  isReadable: boolean;
  onRead: () => void;
};

/** The first step: what was read of the file, and what each part of it was taken for. */
export function ImportReadSection({ uuid, review, isReadable, onRead }: ImportReadSectionProps) {
  const { reading } = readFragment(fragment, review);
  const navigate = useNavigate();
  const [changes, setChanges] = useState(noChanges);
  const [isBusy, setBusy] = useState(false);
  if (!reading) return <Empty>The rows of this import do not come from a file.</Empty>;
  const isChanged = JSON.stringify(changes) !== JSON.stringify(noChanges);
  const change = (values: Partial<Changes>) => setChanges((before) => ({ ...before, ...values }));

  const readAgain = async (): Promise<boolean> => {
    const { data, failure } = await mutate(readMutation, { input: inputOf(uuid, reading, changes) });
    const errors = data?.readRegistryImport?.errors ?? [];
    const message = failure ?? errors.map(({ path, message: words }) => `${path}: ${words}`).join("; ");
    if (message) showError(message);
    else setChanges(noChanges);
    onRead();
    return !message && data?.readRegistryImport?.review?.reading?.errorCount === 0;
  };
  const goOn = async () => {
    if (isChanged && !(await readAgain())) return;
    const { data, failure } = await mutate(reviewMutation, { uuid });
    const errors = data?.reviewRegistryImport?.errors ?? [];
    const message = failure ?? errors.map(({ path, message: words }) => `${path}: ${words}`).join("; ");
    if (message) return showError(message);
    navigate(routes.registryImport(uuid, "review"));
  };
  const run = (act: () => Promise<unknown>) => {
    setBusy(true);
    void act().finally(() => setBusy(false));
  };
  const isFixed = !isReadable || isBusy;
  const unknown = reading.places.filter(({ manner }) => manner === "UNKNOWN").length;

  return (
    <div className="stack is-apart">
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
      {reading.notes.map((note) => (
        <Callout compact intent={note.includes("looks like") ? "warning" : "none"} key={note}>
          {note}
        </Callout>
      ))}
      {reading.errorCount > 0 ? (
        <Callout compact intent="danger" role="alert" title={`${counted(reading.errorCount, "error")} to mend first`}>
          <p>Mend them in the file and send it again, or choose otherwise below.</p>
          <ul className="is-scrolling">
            {reading.errors.map(({ path, message }) => (
              <li key={`${path} ${message}`}>
                {path}: {message}
              </li>
            ))}
          </ul>
        </Callout>
      ) : null}
      <RegistrySection title="Columns">
        <ReadColumnsTable
          chosen={changes.columns}
          isFixed={isFixed}
          onChoose={(heading, field) => change({ columns: { ...changes.columns, [heading]: field } })}
          reading={reading}
        />
      </RegistrySection>
      {reading.places.length > 0 ? (
        <RegistrySection title="Spellings of places">
          <p className="note">
            {unknown > 0
              ? `${counted(unknown, "spelling")} not known: choose the place once for all its rows.`
              : "All were found. Look whether each is the right place."}
          </p>
          <SpellingsTable
            chosen={changes.places}
            isFixed={isFixed}
            onChoose={(key, means) => change({ places: { ...changes.places, [key]: means } })}
            places={reading.places}
          />
        </RegistrySection>
      ) : null}
      <RegistrySection title="Empty cells">
        {reading.empty.length > 0 ? (
          <DataTable
            caption="Texts that count as empty"
            columns={emptyColumns}
            rowKey={({ text }) => text}
            rows={reading.empty}
          />
        ) : null}
        <Field
          help="Separated by semicolons, such as: not stated; unknown code"
          label="Other texts that count as empty"
        >
          {(control) => (
            <InputGroup
              {...control}
              disabled={isFixed}
              onChange={({ currentTarget }) => change({ empty: currentTarget.value })}
              value={changes.empty ?? reading.emptyWords.join("; ")}
            />
          )}
        </Field>
      </RegistrySection>
      {reading.codes.length > 0 ? (
        <RegistrySection title="Codes put right">
          <DataTable
            caption="Codes in the forms of spreadsheets"
            captionHidden
            columns={codeColumns}
            rowKey={({ repair }) => repair}
            rows={reading.codes}
          />
        </RegistrySection>
      ) : null}
      {isReadable ? (
        <>
          <Field
            help="With a name, these choices are remembered for the next file with the same headings"
            label="Whose list it is"
          >
            {(control) => (
              <InputGroup
                {...control}
                disabled={isFixed}
                maxLength={128}
                onChange={({ currentTarget }) => change({ source: currentTarget.value })}
                value={changes.source ?? reading.source ?? ""}
              />
            )}
          </Field>
          <div className="row">
            <Button disabled={isBusy || !isChanged} onClick={() => run(readAgain)} text="Read again" />
            <BusyButton
              disabled={!isChanged && reading.errorCount > 0}
              intent="primary"
              isBusy={isBusy}
              onClick={() => run(goOn)}
              text="Review the rows"
            />
          </div>
        </>
      ) : null}
    </div>
  );
}
