import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { whatOfPlaces } from "../reference/placeFilter.ts";
import { files, routes } from "../routes.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { noneMatch } from "../ui/filter/listTexts.ts";
import { ListBar } from "../ui/filter/ListBar.tsx";
import type { DateRange } from "../ui/form/dateRange.ts";
import { DateRangeForm } from "../ui/form/DateRangeForm.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { PagedList } from "../ui/list/PagedList.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { WrongFilterNotice } from "../ui/notice/WrongFilterNotice.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { ViewsButton } from "../view/ViewsButton.tsx";
import { TdbFilterForm } from "./TdbFilterForm.tsx";
import { NotCountedNote } from "../ui/notice/NotCountedNote.tsx";
import { type Countable, TdbStandingControls } from "./TdbStandingControls.tsx";
import { tdbFileQuery, type TdbListKind, type TdbsAnswer, useTdbList } from "./tdbList.ts";

/**
 * The columns that lists of transport databases share, with the fields that each needs. The headings differ as in the
 * specification.
 */

type Receipt = { uploadDate: string; uploadTime: string };
type Place = {
  facility: { facilityUuid: string; facilityName: string; district: { name: string }; province: { name: string } };
};

export const dateColumn: Column<Receipt> = {
  id: "date",
  header: "Date",
  sort: "uploaded",
  rowHeader: true,
  oneLine: true,
  cell: ({ uploadDate }) => formatDate(uploadDate),
};
export const timeColumn: Column<Receipt> = {
  id: "time",
  header: "Time",
  phone: "line",
  cell: ({ uploadTime }) => formatTime(uploadTime),
};
export const receivedColumn = (header: string): Column<Receipt> => ({
  id: "received",
  header,
  sort: "uploaded",
  rowHeader: true,
  oneLine: true,
  cell: ({ uploadDate, uploadTime }) => `${formatDate(uploadDate)} ${formatTime(uploadTime)}`,
});

export const facilityColumn: Column<Place> = {
  id: "facility",
  header: "Facility",
  sort: "facility",
  phone: "line",
  cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
};
export const districtColumn: Column<Place> = {
  id: "district",
  header: "District",
  phone: "line",
  cell: ({ facility }) => facility.district.name,
};
export const provinceColumn: Column<Place> = {
  id: "province",
  header: "Province",
  phone: "line",
  cell: ({ facility }) => facility.province.name,
};
export const placeColumn: Column<Place> = {
  id: "place",
  header: "District/Province",
  phone: "line",
  cell: ({ facility }) => (
    <>
      {facility.district.name}/<wbr />
      {facility.province.name}
    </>
  ),
};

export const deltaColumn: Column<{ deltaTdb: boolean }> = {
  id: "delta",
  header: "Delta TDB",
  cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No"),
};
export const createdColumn = (header: string): Column<{ tdbCreationDate: string }> => ({
  id: "created",
  header,
  sort: "created",
  oneLine: true,
  cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate),
});
export const clientsColumn = (header: string): Column<{ totalPatients: number }> => ({
  id: "clients",
  header,
  numeric: true,
  cell: ({ totalPatients }) => formatNumber(totalPatients),
});
export const sizeColumn: Column<{ fileSize: number }> = {
  id: "size",
  header: "Size",
  sort: "size",
  numeric: true,
  cell: ({ fileSize }) => formatFileSize(fileSize),
};

type Fetchable = Countable & {
  fileName: string;
  sha256: string;
  contentRemoved?: string | null;
  receiptRemoved?: string | null;
};
const aboutFile = ({ sha256, receiptRemoved }: Fetchable) =>
  `SHA-256: ${sha256}${receiptRemoved ? `. Receipt removed ${formatDate(receiptRemoved)}` : ""}`;

/** A link to the stored file, as long as its content is stored, and why no figure counts it. Each download is audited. */
export const fetchColumn: Column<Fetchable> = {
  id: "fetch",
  header: "File",
  headerHidden: true,
  phone: "end",
  cell: (tdb) => (
    <span className="row is-close">
      {tdb.contentRemoved ? (
        <span title={aboutFile(tdb)}>Removed {formatDate(tdb.contentRemoved)}</span>
      ) : (
        <a
          aria-label={`Fetch ${tdb.fileName}`}
          href={files.tdb(tdb.uuid)}
          download={tdb.fileName}
          title={aboutFile(tdb)}
        >
          Fetch
        </a>
      )}
      <NotCountedNote row={tdb} />
      <span className={tdb.setAside || tdb.held ? undefined : "wide-only"}>
        <TdbStandingControls tdb={tdb} />
      </span>
    </span>
  ),
};

type TdbListProps<Row> = {
  kind: TdbListKind;
  answer: TdbsAnswer<Row>;
  columns: Column<Row>[];
  /** The days of receipt that the file covers. */
  range: DateRange;
  /** Changes them, in a form above the list. Other lists have filters for them. */
  onRange?: (range: DateRange) => void;
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
export function TdbList<Row extends { id: string }>({
  kind,
  answer,
  columns,
  range,
  onRange,
  about = {},
  fileOf,
  empty,
  children,
}: TdbListProps<Row>) {
  const { url, chips, sorting, wrong } = useTdbList(kind);
  const { pageName, orders } = kind;
  const days = onRange ? [`${formatDate(range.start)} to ${formatDate(range.end)}`] : [];
  const form = onRange ? (
    <DateRangeForm isFetching={answer.fetching} onChange={onRange} onReload={answer.reload} range={range} />
  ) : null;
  if (wrong)
    return (
      <div className="stack">
        {form}
        <WrongFilterNotice {...wrong} />
      </div>
    );
  return (
    <div className="stack">
      {form}
      <PrintedNote answer={answer.data} words={[...days, ...chips.map(({ words }) => words)]} />
      <ListBar
        chips={chips}
        file={{ href: files.tdbsCsv(range, { ...tdbFileQuery(url, kind), ...about }), label: fileOf }}
        form={<TdbFilterForm kind={kind} ofPartner={about["implementingPartnerId"]} />}
        order={{ orders, sorting }}
        pageName={pageName}
      >
        {children}
        <ViewsButton />
      </ListBar>
      <QueryState query={answer} what={whatOfPlaces(url, "list of TDBs")}>
        {({ tdbs }) => (
          <PagedList
            empty={noneMatch("No TDB of this list", chips) ?? empty}
            fetchFrom={answer.fetchFrom}
            isSized
            label="Pages of TDBs"
            list={tdbs}
            pageName={pageName}
          >
            {(rows, total) => (
              <DataTable
                caption={counted(total, "TDB")}
                columns={columns}
                rowKey={({ id }) => id}
                rows={rows}
                sorting={sorting}
              />
            )}
          </PagedList>
        )}
      </QueryState>
    </div>
  );
}
