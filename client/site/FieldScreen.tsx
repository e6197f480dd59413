import { useCallback, useEffect, useState } from "react";
import { readNote } from "../facility/fieldSites.ts";
import type { FieldNote } from "../facility/fieldSites.ts";
import { graphql } from "../gql/gql.ts";
import { NotKept } from "../store/database.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AskFailure } from "./ask.ts";
import { prepareField, refreshField, removeField } from "./fieldDownload.ts";
import type { Progress } from "./fieldDownload.ts";
import { FieldScopeForm } from "./FieldScopeForm.tsx";
import { KeptFieldSection } from "./KeptFieldSection.tsx";
import { OwnWorkSection } from "./OwnWorkSection.tsx";
import { ReadinessSection } from "./ReadinessSection.tsx";
import "./FieldScreen.css";

const query = graphql(`
  query FieldScreenQuery {
    provinces(first: 50) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(active: true, first: 100) { nodes { id implementingPartnerId implementingPartner } }
  }
`);

export const loader = screenLoader(query, () => ({}));

const notKeptReasons: Record<NotKept["reason"], string> = {
  full: "This device has no room left. Free some storage, or take a smaller scope along.",
  refused: "The browser does not let this page keep anything. Private windows do not: use an ordinary one.",
  closed: "Nobody is signed in here any more. Sign in again.",
  insecure: "This address has no secure connection (https), so the browser keeps nothing here.",
};

const wordsOf = (error: unknown): string => {
  if (error instanceof AskFailure) return error.message;
  if (error instanceof NotKept) return notKeptReasons[error.reason];
  return "Something went wrong. Try again.";
};

/** Downloads sites for work without network, and shows whether this device is ready for it. */
export function FieldScreen() {
  const answer = useScreenQuery(query, {});
  const [note, setNote] = useState<FieldNote | null>();
  const [progress, setProgress] = useState<Progress>();
  const [failure, setFailure] = useState<string>();

  const look = useCallback(() => void readNote().then(setNote), []);
  useEffect(look, [look]);

  const act = async (work: (report: (progress: Progress) => void) => Promise<void>) => {
    setFailure(undefined);
    setProgress({ done: 0, of: 1, what: "Begins" });
    try {
      await work(setProgress);
    } catch (error) {
      setFailure(wordsOf(error));
    }
    setProgress(undefined);
    look();
  };
  const isBusy = progress !== undefined;

  return (
    <Page title="Prepare for the field">
      <p className="field-lead">
        Take a list of sites along. Without network they are found by name and code, each opens, and each can be assessed. What you take is sealed: only you
        can read it on this device.
      </p>
      {progress ? (
        <section className="card field-progress" aria-label="Download">
          <progress aria-label="Progress" max={progress.of} value={progress.done} />
          <p role="status">
            {progress.what} ({progress.done} of {progress.of})
          </p>
        </section>
      ) : null}
      {failure ? (
        <p className="field-fault" role="alert">
          {failure}
        </p>
      ) : null}
      {note ? <KeptFieldSection isBusy={isBusy} note={note} onRefresh={() => void act(refreshField)} onRemove={() => void act(removeField)} /> : null}
      <ReadinessSection isBusy={isBusy} note={note ?? null} onRefresh={() => void act(refreshField)} />
      <OwnWorkSection />
      <section className="card" aria-labelledby="field-form-heading">
        <h2 id="field-form-heading">{note ? "Take other sites along instead" : "Take sites along"}</h2>
        <QueryState query={answer} what="list of places">
          {({ provinces, implementingPartners }) => (
            <FieldScopeForm
              isBusy={isBusy}
              onPrepare={(choice) => void act((report) => prepareField(choice, report))}
              partners={implementingPartners.nodes}
              places={provinces.nodes.map(({ provinceId, name, districts }) => ({ provinceId, name, districts: districts.nodes }))}
            />
          )}
        </QueryState>
      </section>
    </Page>
  );
}
