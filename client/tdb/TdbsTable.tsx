import { Link } from "react-router-dom";
import { counted } from "../ui/text/counted.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { routes } from "../routes.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column, Sorting } from "../ui/list/DataTable.tsx";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { fileAddress } from "./addresses.ts";
import type { TdbsAnswer } from "./tdbList.ts";

/** The columns that lists of transport databases share, with the fields that each needs. The headings differ as in the specification. */

type Receipt = { uploadDate: string; uploadTime: string };
type Place = { facility: { facilityUuid: string; facilityName: string; district: { name: string }; province: { name: string } } };

export const dateColumn: Column<Receipt> = { id: "date", header: "Date", sort: "uploaded", rowHeader: true, oneLine: true, cell: ({ uploadDate }) => formatDate(uploadDate) };
export const timeColumn: Column<Receipt> = { id: "time", header: "Time", cell: ({ uploadTime }) => formatTime(uploadTime) };
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
  cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
};
export const districtColumn: Column<Place> = { id: "district", header: "District", cell: ({ facility }) => facility.district.name };
export const provinceColumn: Column<Place> = { id: "province", header: "Province", cell: ({ facility }) => facility.province.name };
export const placeColumn: Column<Place> = {
  id: "place",
  header: "District/Province",
  cell: ({ facility }) => (
    <>
      {facility.district.name}/<wbr />
      {facility.province.name}
    </>
  ),
};

export const deltaColumn: Column<{ deltaTdb: boolean }> = { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") };
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
export const sizeColumn: Column<{ fileSize: number }> = { id: "size", header: "Size", sort: "size", numeric: true, cell: ({ fileSize }) => formatFileSize(fileSize) };

type Fetchable = { uuid: string; fileName: string; sha256: string; contentRemoved?: string | null; receiptRemoved?: string | null };
const aboutFile = ({ sha256, receiptRemoved }: Fetchable) => `SHA-256: ${sha256}${receiptRemoved ? `. Receipt removed ${formatDate(receiptRemoved)}` : ""}`;

/** A link to the stored file, as long as its content is stored. Each download is audited. */
export const fetchColumn: Column<Fetchable> = {
  id: "fetch",
  header: "File",
  headerHidden: true,
  cell: (tdb) =>
    tdb.contentRemoved ? (
      <span title={aboutFile(tdb)}>Removed {formatDate(tdb.contentRemoved)}</span>
    ) : (
      <a aria-label={`Fetch ${tdb.fileName}`} href={fileAddress(tdb.uuid)} download={tdb.fileName} title={aboutFile(tdb)}>
        Fetch
      </a>
    ),
};

type TdbsTableProps<Row> = {
  answer: TdbsAnswer<Row>;
  columns: Column<Row>[];
  /** The search parameter that holds the page. */
  pageName: string;
  /** Shown if the list is empty. */
  empty: string;
  sorting: Sorting;
  /** The subject of the list's failure messages. */
  what: string;
};

/** A page of a list of transport databases, with a pager. */
export function TdbsTable<Row extends { id: string }>({ answer, columns, pageName, empty, sorting, what }: TdbsTableProps<Row>) {
  return (
    <QueryState query={answer} what={what}>
      {({ tdbs }) => (
        <PagedList fetchFrom={answer.fetchFrom} list={tdbs} label="Pages of TDBs" pageName={pageName} isSized empty={empty}>
          {(rows, total) => <DataTable caption={counted(total, "TDB")} columns={columns} rowKey={({ id }) => id} rows={rows} sorting={sorting} />}
        </PagedList>
      )}
    </QueryState>
  );
}
