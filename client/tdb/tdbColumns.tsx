import { Link } from "react-router-dom";
import { formatNumber } from "../reference/counted.ts";
import { routes } from "../routes.ts";
import type { Column } from "../ui/DataTable.tsx";
import { formatDate, formatTime } from "../ui/dates.ts";
import { fileAddress } from "./addresses.ts";
import { formatFileSize } from "./fileSize.ts";

/** The columns that lists of transport databases share, each with what it needs of a row. The headings differ as the specification's do. */

type Receipt = { uploadDate: string; uploadTime: string };
type Place = { facility: { facilityUuid: string; facilityName: string; district: { name: string }; province: { name: string } } };

export const dateColumn: Column<Receipt> = { id: "date", header: "Date", rowHeader: true, cell: ({ uploadDate }) => formatDate(uploadDate) };
export const timeColumn: Column<Receipt> = { id: "time", header: "Time", cell: ({ uploadTime }) => formatTime(uploadTime) };
export const receivedColumn = (header: string): Column<Receipt> => ({
  id: "received",
  header,
  rowHeader: true,
  cell: ({ uploadDate, uploadTime }) => `${formatDate(uploadDate)} ${formatTime(uploadTime)}`,
});

export const facilityColumn: Column<Place> = {
  id: "facility",
  header: "Facility",
  cell: ({ facility }) => <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>,
};
export const districtColumn: Column<Place> = { id: "district", header: "District", cell: ({ facility }) => facility.district.name };
export const provinceColumn: Column<Place> = { id: "province", header: "Province", cell: ({ facility }) => facility.province.name };
export const placeColumn: Column<Place> = {
  id: "place",
  header: "District/Province",
  cell: ({ facility }) => `${facility.district.name}/${facility.province.name}`,
};

export const deltaColumn: Column<{ deltaTdb: boolean }> = { id: "delta", header: "Delta TDB", cell: ({ deltaTdb }) => (deltaTdb ? "Yes" : "No") };
export const createdColumn = (header: string): Column<{ tdbCreationDate: string }> => ({
  id: "created",
  header,
  cell: ({ tdbCreationDate }) => formatDate(tdbCreationDate),
});
export const clientsColumn = (header: string): Column<{ totalPatients: number }> => ({
  id: "clients",
  header,
  numeric: true,
  cell: ({ totalPatients }) => formatNumber(totalPatients),
});
export const sizeColumn: Column<{ fileSize: number }> = { id: "size", header: "Size", numeric: true, cell: ({ fileSize }) => formatFileSize(fileSize) };

/** The way to the stored file: whoever sees these rows may fetch it, and that is written down. */
export const fetchColumn: Column<{ uuid: string; fileName: string; sha256: string }> = {
  id: "fetch",
  header: "File",
  headerHidden: true,
  cell: ({ uuid, fileName, sha256 }) => (
    <a aria-label={`Fetch ${fileName}`} href={fileAddress(uuid)} download={fileName} title={`SHA-256: ${sha256}`}>
      Fetch
    </a>
  ),
};
