import { HTMLSelect } from "@blueprintjs/core";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { formatNumber } from "../../ui/text/counted.ts";
import { fieldTitle } from "../listWords.ts";
import type { ListReading } from "./listReading.ts";

const manners = { KNOWN: "", ALIKE: "taken by its heading", CHOSEN: "chosen", LEFT_OUT: "not used" } as const;

type ReadColumnsTableProps = {
  reading: ListReading;
  /** the fields that were chosen and not read yet, by heading */
  chosen: Readonly<Record<string, string>>;
  isFixed: boolean;
  onChoose: (heading: string, field: string) => void;
};

const columnsOf = ({
  reading,
  chosen,
  isFixed,
  onChoose,
}: ReadColumnsTableProps): Column<ListReading["columns"][number]>[] => {
  const mannerOf = (heading: string, manner: keyof typeof manners) =>
    heading in chosen ? "to be read again" : manners[manner];
  return [
    { id: "heading", header: "Heading", rowHeader: true, cell: ({ heading }) => heading },
    {
      id: "field",
      header: "Taken for",
      phone: "end",
      cell: ({ heading, field, manner }) => (
        <div>
          <HTMLSelect
            aria-label={`${heading} is taken for`}
            disabled={isFixed}
            onChange={({ currentTarget }) => onChoose(heading, currentTarget.value)}
            options={[
              { value: "", label: "Leave out" },
              ...reading.fields.map((value) => ({ value, label: fieldTitle(value) })),
            ]}
            value={chosen[heading] ?? field ?? ""}
          />
          <span className="note is-line wide-only">{mannerOf(heading, manner)}</span>
        </div>
      ),
    },
    {
      id: "manner",
      header: "How",
      phone: "line",
      isPhoneOnly: true,
      cell: ({ heading, manner }) => mannerOf(heading, manner) || "known",
    },
    { id: "filled", header: "Filled", numeric: true, phone: "labelled", cell: ({ filled }) => formatNumber(filled) },
    { id: "examples", header: "Examples", phone: "line", cell: ({ examples }) => examples.join(" · ") || "–" },
  ];
};

/** The columns of a list, each with what it was taken for. */
export function ReadColumnsTable(props: ReadColumnsTableProps) {
  return (
    <DataTable
      caption="Columns"
      captionHidden
      columns={columnsOf(props)}
      opensAs={({ heading }) => `the column ${heading}`}
      rowKey={({ heading }) => heading}
      rows={props.reading.columns}
    />
  );
}
