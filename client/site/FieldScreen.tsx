import { Card, Intent, ProgressBar } from "@blueprintjs/core";
import { useCallback, useEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { isReturned, useKeptWork } from "../assessment/keptWork.ts";
import { readNote } from "../facility/fieldSites.ts";
import type { FieldNote } from "../facility/fieldSites.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { fetchApplication } from "../shell/offline.ts";
import type { ApplicationState } from "../shell/offline.ts";
import { NotKept } from "../store/database.ts";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { counted } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AskFailure } from "./ask.ts";
import { prepareField, refreshField, removeField } from "./fieldDownload.ts";
import type { Progress } from "./fieldDownload.ts";
import { FieldScopeForm } from "./FieldScopeForm.tsx";
import { KeptFieldSection } from "./KeptFieldSection.tsx";
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

/** Which part of the screen has the button that began the present or last work. */
type Button = "download" | "kept";

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

/**
 * The progress of a download and how it ended, beside the button that began it. It scrolls into view when something
 * above it has moved it out.
 */
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

/** The viewer's visits on this device: drafts, and visits that wait to be sent. */
function OwnWorkSection() {
  const work = useKeptWork();
  if (work.length === 0) return null;
  return (
    <Card aria-labelledby="field-work-heading" role="region">
      <h2 id="field-work-heading">Your work on this device</h2>
      <ul className="grid plain">
        {work.map((one) => (
          <li key={one.workId}>
            <Link to={routes.assessment(one.facilityUuid, one.isNew ? undefined : one.assessmentUuid, one.workId)}>
              {one.facilityName}
            </Link>
            {isReturned(one)
              ? ": was not stored, and waits to be corrected"
              : one.status === "waiting"
                ? ": waits to be sent"
                : ": a draft"}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Downloads sites for work without network, and shows whether this device is ready for it. */
export function FieldScreen() {
  const answer = useScreenQuery(query, {});
  const [note, setNote] = useState<FieldNote | null>();
  const [progress, setProgress] = useState<Progress>();
  const [outcome, setOutcome] = useState<Outcome>();
  const [begunBy, setBegunBy] = useState<Button>("download");

  const look = useCallback(() => void readNote().then(setNote), []);
  useEffect(look, [look]);

  const act = async (button: Button, work: () => Promise<Outcome | undefined>) => {
    setBegunBy(button);
    setOutcome(undefined);
    setProgress({ done: 0, of: 1, what: "Begins" });
    setOutcome(await work().catch((error: unknown) => ({ isReady: false, text: wordsOf(error) })));
    setProgress(undefined);
    look();
  };
  /** Takes the list, then all files of the application, so that one press makes the device ready. */
  const takeAlong = (button: Button, takeList: (report: (progress: Progress) => void) => Promise<void>) =>
    void act(button, async () => {
      await takeList(setProgress);
      setProgress({ done: 0, of: 1, what: "The application's files" });
      return outcomeOf(await fetchApplication());
    });
  const isBusy = progress !== undefined;
  const shown = <OutcomeNotice outcome={outcome} progress={progress} />;

  return (
    <Page title="Prepare for the field">
      <p className="soft measure">
        Take a list of sites along. Without network they are found by name and code, each opens, and each can be
        assessed. What you take is sealed: only you can read it on this device.
      </p>
      {note ? (
        <KeptFieldSection
          isBusy={isBusy}
          note={note}
          onRefresh={() => takeAlong("kept", refreshField)}
          onRemove={() => void act("kept", () => removeField().then(() => undefined))}
        >
          {begunBy === "kept" ? shown : null}
        </KeptFieldSection>
      ) : null}
      <ReadinessSection isBusy={isBusy} note={note ?? null} onRefresh={() => takeAlong("kept", refreshField)} />
      <OwnWorkSection />
      <Card aria-labelledby="field-form-heading" className="stack" role="region">
        <h2 id="field-form-heading">{note ? "Take other sites along instead" : "Take sites along"}</h2>
        <QueryState query={answer} what="list of places">
          {({ provinces, implementingPartners }) => (
            <FieldScopeForm
              isBusy={isBusy}
              onPrepare={(choice) => takeAlong("download", (report) => prepareField(choice, report))}
              partners={implementingPartners.nodes}
              places={provinces.nodes.map(({ provinceId, name, districts }) => ({
                provinceId,
                name,
                districts: districts.nodes,
              }))}
            />
          )}
        </QueryState>
        {begunBy === "download" ? shown : null}
      </Card>
    </Page>
  );
}
