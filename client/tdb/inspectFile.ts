import { TdbxFault, type TdbxManifest } from "../../gateway/tdb/tdbx.rules.ts";
import { readTdbx } from "../../gateway/tdb/tdbxReader.rules.ts";
import { graphql } from "../gql/gql.ts";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { client } from "../urql.ts";
import { sourceOf } from "./upload/recognise.ts";

const previewQuery = graphql(`
  query InspectFileQuery(
    $facilityUuid: String, $hmisCode: String, $createdAt: String!, $delta: Boolean!, $totalPatients: Int!, $fileSize: Float!
  ) {
    tdbPreview(
      facilityUuid: $facilityUuid, hmisCode: $hmisCode, createdAt: $createdAt
      delta: $delta, totalPatients: $totalPatients, fileSize: $fileSize
    ) {
      warning
      facility { id facilityName }
      received { id uploadDate uploadTime userFirstName userSurname }
    }
  }
`);

/** What is known about a chosen file before it is sent. */
export type Inspection = {
  manifest?: TdbxManifest;
  facility?: string;
  warning?: string;
  /** the warning is the reason why it cannot be accepted: it is not sent */
  isRefused?: boolean;
};

/** Reads a chosen file's manifest on this device, and asks the server about it. */
export async function inspectFile(file: File): Promise<Inspection> {
  let manifest: TdbxManifest;
  try {
    const { size, read } = sourceOf(file);
    manifest = await readTdbx({ size, read: (offset, length) => read(offset, offset + length) });
  } catch (error) {
    return {
      warning: error instanceof TdbxFault ? error.message : "The file cannot be read on this computer.",
      isRefused: true,
    };
  }
  const { facility, createdAt, delta, totalPatients } = manifest;
  const variables = {
    facilityUuid: facility.uuid,
    hmisCode: facility.hmisCode,
    createdAt,
    delta,
    totalPatients,
    fileSize: file.size,
  };
  const { data } = await client.query(previewQuery, variables, { requestPolicy: "network-only" }).toPromise();
  const known = data?.tdbPreview;
  if (!known) return { manifest };
  const { received } = known;
  return {
    manifest,
    facility: known.facility?.facilityName,
    isRefused: known.warning !== null,
    warning:
      known.warning ??
      (received
        ? `This file looks like one that was already received on ${formatDate(received.uploadDate)} ${formatTime(received.uploadTime)} from ${received.userFirstName} ${received.userSurname}.`
        : undefined),
  };
}
