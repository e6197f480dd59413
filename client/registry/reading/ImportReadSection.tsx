import { Button, Callout, InputGroup } from "@blueprintjs/core";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import { graphql } from "../../gql/gql.ts";
import { routes } from "../../routes.ts";
import { showError } from "../../shell/toast/toaster.tsx";
import { Field } from "../../ui/field/Field.tsx";
import { BusyButton } from "../../ui/form/BusyButton.tsx";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { Empty } from "../../ui/notice/Empty.tsx";
import { counted, formatNumber } from "../../ui/text/counted.ts";
import { mutate } from "../../urql.ts";
import { faultWords } from "../registryCalls.ts";
import { repairTitles } from "../listWords.ts";
import { RegistrySection } from "../RegistrySection.tsx";
import { type Changes, inputOf, type ListReading, noChanges } from "./listReading.ts";
import { ReadColumnsTable } from "./ReadColumnsTable.tsx";
import { ReadFormatForm } from "./ReadFormatForm.tsx";
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

type Refused = { errors: readonly { path: string; message: string }[] } | null | undefined;
/** Why a call was not done; empty if it was. */
const refusalOf = (failure: string | undefined, answer: Refused): string =>
  failure ?? (answer?.errors ?? []).map(faultWords).join("; ");

const codeColumns: Column<ListReading["codes"][number]>[] = [
  { id: "form", header: "Form", rowHeader: true, cell: ({ repair }) => repairTitles[repair] },
  { id: "rows", header: "Rows", numeric: true, phone: "end", cell: ({ rows }) => formatNumber(rows) },
  {
    id: "examples",
    header: "Examples",
    phone: "line",
    cell: ({ examples }) =>
      examples.map(({ read, taken }) => (taken === null ? read : `${read} → ${taken}`)).join(", "),
  },
];
const emptyColumns: Column<ListReading["empty"][number]>[] = [
  { id: "text", header: "Text", rowHeader: true, cell: ({ text }) => text },
  { id: "rows", header: "Rows", numeric: true, phone: "end", cell: ({ rows }) => formatNumber(rows) },
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
    const message = refusalOf(failure, data?.readRegistryImport);
    if (message) showError(message);
    else setChanges(noChanges);
    onRead();
    return !message && data?.readRegistryImport?.review?.reading?.errorCount === 0;
  };
  const goOn = async () => {
    if (isChanged && !(await readAgain())) return;
    const { data, failure } = await mutate(reviewMutation, { uuid });
    const message = refusalOf(failure, data?.reviewRegistryImport);
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
      <ReadFormatForm change={change} changes={changes} isFixed={isFixed} reading={reading} />
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
