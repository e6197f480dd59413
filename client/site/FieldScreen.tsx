import { Button, Card, Intent, ProgressBar } from "@blueprintjs/core";
import { CloudDownloadIcon } from "@blueprintjs/icons";
import { useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { may } from "../../gateway/access/access.rules.ts";
import { useKeptWork } from "../assessment/keptWork.ts";
import { useReceipts } from "../assessment/receipts.ts";
import { readKeptSites, readLastDays, readOutline } from "../facility/fieldSites.ts";
import { graphql } from "../gql/gql.ts";
import { fetchApplication } from "../shell/offline.ts";
import type { ApplicationState } from "../shell/offline.ts";
import { currentSession } from "../shell/session/session.ts";
import { useMay } from "../shell/session/viewer.ts";
import { NotKept } from "../store/database.ts";
import { Page } from "../ui/page/Page.tsx";
import { Loading } from "../ui/notice/Loading.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { counted } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AskFailure } from "./ask.ts";
import { prepareField, refreshField, removeField } from "./fieldDownload.ts";
import type { FieldChoice, Progress } from "./fieldDownload.ts";
import { FieldScopeForm } from "./FieldScopeForm.tsx";
import { MySitesSection } from "./MySitesSection.tsx";
import type { Taken } from "./MySitesSection.tsx";
import { ReadySection } from "./ReadySection.tsx";
import "./FieldScreen.css";

const query = graphql(`
  query FieldScreenQuery($mayAssess: Boolean!) {
    provinces(first: 50) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
    implementingPartners(active: true, first: 100) { nodes { id implementingPartnerId implementingPartner } }
    fieldLists(first: 100) @include(if: $mayAssess) { nodes { id uuid name sites closedSites districtIds } }
  }
`);

export const loader = screenLoader(query, () => {
  const session = currentSession();
  return session.state === "signedIn" ? { mayAssess: may(session.viewer.privileges, "editAssessments") } : undefined;
});

const notKeptReasons: Record<NotKept["reason"], string> = {
  full: "This device has no room left. Free some storage, or download a smaller scope.",
  refused: "The browser does not let this page keep anything. Private windows do not: use an ordinary one.",
  closed: "Nobody is signed in here any more. Sign in again.",
  insecure: "This address has no secure connection (https), so the browser keeps nothing here.",
};

const wordsOf = (error: unknown): string => {
  if (error instanceof AskFailure) return error.message;
  if (error instanceof NotKept) return notKeptReasons[error.reason];
  return "Something went wrong. Try again.";
};

type Outcome = { isReady: boolean; text: string };

const outcomeOf = (files: ApplicationState | undefined): Outcome => {
  if (files?.complete) return { isReady: true, text: "the sites and all files of the application are on this device." };
  if (files)
    return {
      isReady: false,
      text: `${counted(files.missing, "file")} of the application did not arrive. Check the connection and try again.`,
    };
  return {
    isReady: false,
    text: "the application's files could not be stored here. Check the connection and try again; in a private window they cannot be stored.",
  };
};

type OutcomeNoticeProps = { progress: Progress | undefined; outcome: Outcome | undefined };

/** The progress of a download and how it ended. It scrolls into view when something above it has moved it out. */
function OutcomeNotice({ progress, outcome }: OutcomeNoticeProps) {
  const place = useRef<HTMLDivElement>(null);
  const isBusy = progress !== undefined;
  useEffect(() => {
    // The sections above it are drawn first.
    const frame = requestAnimationFrame(() => place.current?.scrollIntoView({ block: "nearest" }));
    return () => cancelAnimationFrame(frame);
  }, [isBusy, outcome]);
  return (
    <div className="field-outcome" ref={place}>
      {progress ? (
        <ProgressBar
          aria-label="Progress"
          intent={Intent.PRIMARY}
          stripes={false}
          value={progress.done / progress.of}
        />
      ) : null}
      <p className={outcome ? (outcome.isReady ? "good" : "bad") : undefined} role="status">
        {progress ? `${progress.what} (${progress.done} of ${progress.of})` : null}
        {outcome ? (
          <>
            <strong>{outcome.isReady ? "Ready" : "Not ready"}:</strong> {outcome.text}
          </>
        ) : null}
      </p>
    </div>
  );
}

/** Reads what was taken along, again whenever it may have changed. Undefined until it was read. */
function useTaken(): [taken: Taken | undefined, look: () => void] {
  const [taken, setTaken] = useState<Taken>();
  const look = useCallback(
    () =>
      void readKeptSites().then(async (kept) =>
        setTaken({
          kept,
          lastDays: kept ? await readLastDays(kept.note) : new Map(),
          outline: kept ? await readOutline(kept.note) : undefined,
        }),
      ),
    [],
  );
  useEffect(look, [look]);
  return [taken, look];
}

/**
 * My week: the sites that were taken along with their visits, whether this device is ready for work without network, and
 * the download that makes it so.
 */
export function FieldScreen() {
  const answer = useScreenQuery(query, { mayAssess: useMay("editAssessments") });
  const [url] = useSearchParams();
  const [taken, look] = useTaken();
  const [progress, setProgress] = useState<Progress>();
  const [outcome, setOutcome] = useState<Outcome>();
  /** the form is shown because the person wants other sites, or until the download has succeeded */
  const [isChoosing, setChoosing] = useState(url.has("list"));
  const hasVisits = useKeptWork().length + useReceipts().length > 0;

  const act = async (work: () => Promise<Outcome | undefined>) => {
    setOutcome(undefined);
    setProgress({ done: 0, of: 1, what: "Begins" });
    const end = await work().catch((error: unknown) => ({ isReady: false, text: wordsOf(error) }));
    if (!end || end.isReady) setChoosing(false);
    setOutcome(end);
    setProgress(undefined);
    look();
  };
  /** Takes the list, then all files of the application, so that one press makes the device ready. */
  const takeAlong = (takeList: (report: (progress: Progress) => void) => Promise<void>) =>
    void act(async () => {
      await takeList(setProgress);
      setProgress({ done: 0, of: 1, what: "The application's files" });
      return outcomeOf(await fetchApplication());
    });
  const prepare = (choice: FieldChoice) => {
    setChoosing(true);
    takeAlong((report) => prepareField(choice, report));
  };
  if (!taken)
    return (
      <Page title="My week">
        <Loading />
      </Page>
    );

  const note = taken.kept?.note ?? null;
  const isBusy = progress !== undefined;
  const isFormShown = isChoosing || note === null;
  const ready = (
    <ReadySection
      isBusy={isBusy}
      key={note ? "kept" : "none"}
      note={note}
      onRefresh={() => takeAlong(refreshField)}
      onRemove={() => void act(() => removeField().then(() => undefined))}
    />
  );
  const shown = <OutcomeNotice outcome={outcome} progress={progress} />;
  const mySites = <MySitesSection taken={taken} />;
  return (
    <Page
      actions={
        note ? (
          <Button
            aria-expanded={isFormShown}
            className="field-others"
            disabled={isBusy}
            icon={<CloudDownloadIcon />}
            onClick={() => setChoosing(!isChoosing)}
            text="Choose other sites"
          />
        ) : null
      }
      title="My week"
    >
      <div className="stack is-close">
        {isFormShown ? null : shown}
        {ready}
        {note && !isFormShown ? mySites : null}
      </div>
      {isFormShown ? (
        <Card aria-labelledby="field-form-heading" className="screen-only stack" role="region">
          <h2 id="field-form-heading">{note ? "Download other sites instead" : "Download sites for offline use"}</h2>
          <p className="note">
            Without network the sites are found by name, code and district, each opens, and each can be assessed. What
            you take is sealed: only you can read it on this device.
          </p>
          <QueryState query={answer} what="list of places">
            {({ provinces, implementingPartners, fieldLists }) => (
              <FieldScopeForm
                firstList={url.get("list")}
                isBusy={isBusy}
                lists={fieldLists?.nodes ?? []}
                onPrepare={prepare}
                partners={implementingPartners.nodes}
                places={provinces.nodes.map(({ provinceId, name, districts }) => ({
                  provinceId,
                  name,
                  districts: districts.nodes,
                }))}
              />
            )}
          </QueryState>
          {shown}
        </Card>
      ) : null}
      {isFormShown && (note || hasVisits) ? mySites : null}
    </Page>
  );
}
