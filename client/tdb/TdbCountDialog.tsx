import { DialogBody } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { counted } from "../ui/text/counted.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import type { DateRange } from "../ui/form/dateRange.ts";
import { reasonOf } from "../ui/network/failureWords.ts";
import { formatDate } from "../ui/text/dates.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { client } from "../urql.ts";
import "./TdbCountDialog.css";

const query = graphql(`
  query TdbCountDialogQuery($start: Date!, $end: Date!) {
    tdbCount(start: $start, end: $end)
  }
`);

type TdbCountDialogProps = { isOpen: boolean; onClose: () => void; range: DateRange };

/** Counts the TDBs of the chosen range on request. */
export function TdbCountDialog({ isOpen, onClose, range }: TdbCountDialogProps) {
  const [total, setTotal] = useState<number>();
  const [isFetching, setIsFetching] = useState(false);
  const close = () => {
    setTotal(undefined);
    onClose();
  };
  const count = async () => {
    setIsFetching(true);
    const { data, error } = await client.query(query, range, { requestPolicy: "network-only" }).toPromise();
    setIsFetching(false);
    if (typeof data?.tdbCount === "number") setTotal(data.tdbCount);
    else if (error) showError(reasonOf(error));
  };
  return (
    <ModalDialog isOpen={isOpen} onClose={close} title="TDB total count">
      <DialogBody>
        <p>
          {formatDate(range.start)} to {formatDate(range.end)}
        </p>
        <p className="tdb-count" role="status">
          {total === undefined ? "" : counted(total, "TDB")}
        </p>
      </DialogBody>
      <DialogButtons onClose={close}>
        <BusyButton
          intent="primary"
          isBusy={isFetching}
          onClick={() => (total === undefined ? void count() : setTotal(undefined))}
          text={total === undefined ? "Count" : "Clear"}
        />
      </DialogButtons>
    </ModalDialog>
  );
}
