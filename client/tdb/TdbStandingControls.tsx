import { graphql } from "../gql/gql.ts";
import { type Standing, StandingControls } from "../setAside/StandingControls.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { mutate } from "../urql.ts";

const acceptMutation = graphql(`
  mutation TdbStandingControls_accept($input: AcceptTdbInput!) {
    done: acceptTdb(input: $input) {
      tdb { id held facility { id } }
      errors { message }
    }
  }
`);
const setAsideMutation = graphql(`
  mutation TdbStandingControls_setAside($input: SetTdbAsideInput!) {
    done: setTdbAside(input: $input) {
      tdb { id setAside { reason } facility { id } }
      errors { message }
    }
  }
`);
const restoreMutation = graphql(`
  mutation TdbStandingControls_restore($input: SetTdbAsideInput!) {
    done: restoreTdb(input: $input) {
      tdb { id setAside { reason } facility { id } }
      errors { message }
    }
  }
`);
/** The figures that TDBs change. */
const figures = { additionalTypenames: ["ParamValueRow", "TdbHistoryRow", "TdbConnection"] };

export type Countable = Standing & { uuid: string; uploadDate: string };

/** What administrators do about a TDB that is held or set aside, or should be. */
export function TdbStandingControls({ tdb }: { tdb: Countable }) {
  const { uuid } = tdb;
  return (
    <StandingControls
      acts={{
        accept: () => mutate(acceptMutation, { input: { uuid } }, figures),
        setAside: (reason) => mutate(setAsideMutation, { input: { uuid, reason } }, figures),
        restore: (reason) => mutate(restoreMutation, { input: { uuid, reason } }, figures),
      }}
      standing={tdb}
      what={`the TDB received on ${formatDate(tdb.uploadDate)}`}
    />
  );
}
