import { Button, Card } from "@blueprintjs/core";
import { DuplicateIcon, ErrorIcon, PrintIcon, TickCircleIcon } from "@blueprintjs/icons";
import type { TdbReceipt } from "../../gateway/tdb/tdb.rules.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { cutName } from "./cutName.ts";

const factsOf = ({
  fileName,
  reference,
  facility,
  uploadDate,
  uploadTime,
  sha256,
  held,
}: TdbReceipt): [string, string][] => [
  ["File", fileName],
  ["Reference number", String(reference)],
  ["Facility", facility ?? ""],
  ["Received", `${formatDate(uploadDate)} ${formatTime(uploadTime)}`],
  ["SHA-256", sha256 ?? ""],
  ...(held ? [["Held", `${held}. Figures leave it out until an administrator accepts it.`] as [string, string]] : []),
];

/** Files of a batch may have equal names, and one file may be chosen twice. */
const keys = new WeakMap<TdbReceipt, number>();
let lastKey = 0;
function keyOf(receipt: TdbReceipt): number {
  if (!keys.has(receipt)) keys.set(receipt, (lastKey += 1));
  return keys.get(receipt)!;
}

async function copy(receipts: TdbReceipt[]): Promise<void> {
  const text = receipts
    .map((receipt) =>
      factsOf(receipt)
        .map(([name, value]) => `${name}: ${value}`)
        .join("\n"),
    )
    .join("\n\n");
  try {
    await navigator.clipboard.writeText(text);
    showSuccess("Receipt copied");
  } catch {
    showError("The browser does not allow copying here. Print the receipt instead.");
  }
}

/**
 * The result of each file, with a receipt for received ones. Files that failed for a temporary reason can be tried
 * again.
 */
export function ReceiptsSection({
  receipts,
  again,
  onAgain,
}: {
  receipts: TdbReceipt[];
  again: File[];
  onAgain: () => void;
}) {
  if (receipts.length === 0) return null;
  const accepted = receipts.filter((receipt) => receipt.accepted);
  return (
    <Card className="stack" aria-label="Results" role="region">
      <h2>Results</h2>
      <ul className="stack plain">
        {receipts.map((receipt) => (
          <li className="stack is-close" key={keyOf(receipt)}>
            <p className={receipt.accepted ? "tdb-receipt" : "tdb-receipt bad"}>
              {receipt.accepted ? <TickCircleIcon className="good" /> : <ErrorIcon />}{" "}
              <strong>{cutName(receipt.fileName)}</strong>{" "}
              {receipt.accepted
                ? receipt.duplicate
                  ? "was already received: this is the earlier receipt."
                  : "was received."
                : receipt.error?.message}
            </p>
            {receipt.accepted ? (
              <FactList>
                {factsOf(receipt).map(([name, value]) => (
                  <Fact key={name} label={name} unknown="">
                    {value}
                  </Fact>
                ))}
              </FactList>
            ) : null}
          </li>
        ))}
      </ul>
      {again.length > 0 ? <Button onClick={onAgain} text={`Try again with ${again.length} file(s)`} /> : null}
      {accepted.length > 0 ? (
        <div className="row screen-only">
          <Button icon={<PrintIcon />} onClick={() => print()} text="Print receipt" />
          <Button icon={<DuplicateIcon />} onClick={() => void copy(accepted)} text="Copy receipt" />
        </div>
      ) : null}
    </Card>
  );
}
