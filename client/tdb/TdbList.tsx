import type { ReactNode } from "react";
import { whatOfPlaces } from "../reference/placeFilter.ts";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { ListBar } from "../ui/filter/ListBar.tsx";
import { SortSelect } from "../ui/filter/SortSelect.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { WrongFilterNotice } from "../ui/notice/WrongFilterNotice.tsx";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { csvAddress } from "./addresses.ts";
import { TdbFilterForm } from "./TdbFilterForm.tsx";
import { tdbFileQuery, type TdbListKind, type TdbsAnswer, useTdbList } from "./tdbList.ts";
import { TdbsTable } from "./TdbsTable.tsx";
import { formatDate } from "../ui/text/dates.ts";

type TdbListProps<Row> = {
  kind: TdbListKind;
  answer: TdbsAnswer<Row>;
  columns: Column<Row>[];
  /** The days of receipt that the file covers. */
  range: { start: string; end: string };
  /** What the list is about, as search parameters of the file. */
  about?: Record<string, string>;
  /** "of …": what the file holds. */
  fileOf: string;
  /** Shown if the list is empty without filters. */
  empty: string;
  /** Other actions of the list. */
  children?: ReactNode;
};

/** A list of TDBs with its filters, order, export and saved views. */
export function TdbList<Row extends { id: string }>({ kind, answer, columns, range, about = {}, fileOf, empty, children }: TdbListProps<Row>) {
  const { url, chips, sorting, wrong } = useTdbList(kind);
  if (wrong) return <WrongFilterNotice {...wrong} />;
  const noneMatches = `No TDB of this list matches ${chips.map((chip) => `“${chip.words}”`).join(" and ")}. Remove a filter above to see more.`;
  // Lists with a form for the days have no chips for them.
  const days = kind.of === "all" || kind.of === "user" ? [`${formatDate(range.start)} to ${formatDate(range.end)}`] : [];
  return (
    <>
      <PrintedNote answer={answer.data} words={[...days, ...chips.map((chip) => chip.words)]} />
      <ListBar chips={chips} form={<TdbFilterForm kind={kind} ofPartner={about["implementingPartnerId"]} />} pageName={kind.pageName}>
        <div className="only-narrow">
          <SortSelect orders={kind.orders} sorting={sorting} />
        </div>
        <ExportButton href={csvAddress(range, { ...tdbFileQuery(url, kind), ...about })} label={fileOf} />
        {children}
        <ViewsButton />
      </ListBar>
      <TdbsTable
        answer={answer}
        columns={columns}
        empty={chips.length > 0 ? noneMatches : empty}
        pageName={kind.pageName}
        sorting={sorting}
        what={whatOfPlaces(url, "list of TDBs")}
      />
    </>
  );
}
