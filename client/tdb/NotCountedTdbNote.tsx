import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { NotCountedNote } from "../ui/notice/NotCountedNote.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const acceptMutation = graphql(`
  mutation NotCountedTdbNote_accept($input: AcceptTdbInput!) {
    acceptTdb(input: $input) {
      tdb { id held facility { id } }
      errors { message }
    }
  }
`);
/** The figures that TDBs change. */
const figures = { additionalTypenames: ["ParamValueRow", "TdbHistoryRow", "TdbConnection"] };

export type Countable = {
  uuid: string;
  uploadDate: string;
  setAside?: { reason: string } | null;
  held?: string | null;
};

/** Why no figure counts a TDB, if so; administrators accept one that is held. */
export function NotCountedTdbNote({ tdb }: { tdb: Countable }) {
  const mayAccept = useMay("setAside");
  const [isBusy, setBusy] = useState(false);
  const accept = async () => {
    setBusy(true);
    const { data, failure } = await mutate(acceptMutation, { input: { uuid: tdb.uuid } }, figures);
    setBusy(false);
    const message = failure ?? data?.acceptTdb.errors[0]?.message;
    if (message) showError(message);
    else showSuccess("Accepted the TDB");
  };
  return (
    <>
      <NotCountedNote row={tdb} />
      {tdb.held != null && mayAccept ? (
        <BusyButton
          aria-label={`Accept the TDB received on ${formatDate(tdb.uploadDate)}`}
          className="screen-only"
          isBusy={isBusy}
          onClick={() => void accept()}
          text="Accept"
        />
      ) : null}
    </>
  );
}
