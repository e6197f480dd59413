import { Button, Callout, Intent } from "@blueprintjs/core";
import { ExportButton } from "../ui/filter/ExportButton.tsx";
import { useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { before } from "../../gateway/assessment/content.rules.ts";
import { unusualIn } from "../../gateway/assessment/unusual.rules.ts";
import { files, routes } from "../routes.ts";
import { isClockWrong, subscribeToClock } from "../shell/clock/clock.ts";
import { showMessage, showSuccess, showWarning } from "../shell/toast/toaster.tsx";
import { useSystem, useToday } from "../shell/session/viewer.ts";
import type { Reason } from "../store/database.ts";
import { FormAlert } from "../ui/form/FormAlert.tsx";
import { InSteps } from "../ui/network/InSteps.tsx";
import { useIsWide } from "../ui/form/useIsWide.ts";
import { ActionsSection } from "./ActionsSection.tsx";
import { contentOfAssessment } from "./assessmentContent.ts";
import { groupsOf, newForm } from "./carried.ts";
import { LastVisitNote } from "./CarriedNote.tsx";
import { ConflictSection } from "./ConflictSection.tsx";
import { DraftNotice, UnkeptNotice } from "./DraftNotice.tsx";
import { formEvents } from "./formEvents.ts";
import { ClosingSection, ContactSection } from "./FormSection.tsx";
import { wrongFields } from "./formSections.ts";
import { assessmentResolver } from "./formRules.ts";
import { changesByPerson, contentOfForm, toForm } from "./formValues.ts";
import type { FormValues } from "./formValues.ts";
import { findKept, valuesOf, visitedAtOf } from "./keptForm.ts";
import type { LastVisit } from "./lastVisit.ts";
import { tellOutcomes } from "./outboxMessages.ts";
import { PowerSection } from "./PowerSection.tsx";
import { acceptName, ReviewSection } from "./ReviewSection.tsx";
import { newAssessmentUuid, saveAssessment } from "./saveAssessment.ts";
import type { StoredAssessment } from "./saveAssessment.ts";
import { SmartCareSection } from "./SmartCareSection.tsx";
import type { Versions } from "./SmartCareSection.tsx";
import { StepList } from "./StepList.tsx";
import { useDraft } from "./useDraft.ts";
import { useRefusals } from "./useRefusals.ts";
import { ShownStep, useSteps } from "./useSteps.ts";
import { VisitDayField } from "./VisitDayField.tsx";

type AssessmentFormProps = {
  facility: {
    facilityUuid: string;
    facilityName: string;
    latitude?: number | null;
    longitude?: number | null;
    serviceAreas: readonly { serviceAreaId: number }[];
  };
  /** null for a new assessment */
  stored: StoredAssessment | null;
  areaName: (serviceAreaId: number) => string;
  /** what a new assessment begins with and offers */
  lastVisit: LastVisit | null;
  versions: Versions;
  /** the stored work to continue, if the link names one */
  workId: string | undefined;
  /** what the facility's page waits for after a save */
  untilPageIsFresh?: () => Promise<unknown>;
};

/** From this width on all steps are on one page, with their list beside them (AssessmentScreen.css). */
const wideFrom = 1100;

/** What is said of a draft that cannot be stored. */
const unkeptTexts: Partial<Record<Reason | "none" | "kept", string>> = {
  insecure: "Nothing is kept on this device, because the connection is not secure: save before you leave",
  full: "This device cannot keep a draft: save before you leave",
  refused: "This device cannot keep a draft: save before you leave",
};

/**
 * The whole assessment as one form, in steps that end with a review (useSteps.ts). What is typed is kept on the device
 * until the server has it. Its fields and what is sent are in formValues.ts, what a new visit begins with in carried.ts,
 * the rules in assessment.rules.ts of the gateway. useDraft.ts stores every field by itself. The styles are in
 * AssessmentScreen.css.
 */
export function AssessmentForm(props: AssessmentFormProps) {
  const { facility, stored, lastVisit, areaName, versions, workId, untilPageIsFresh } = props;
  const { facilityUuid, facilityName, latitude, longitude } = facility;
  const registered = useMemo(
    () => (latitude == null || longitude == null ? null : { latitude, longitude }),
    [latitude, longitude],
  );
  const today = useToday();
  const { timeZone } = useSystem();
  const navigate = useNavigate();
  const isNew = stored === null;

  const [kept, setKept] = useState(() => findKept(facilityUuid, stored?.assessmentUuid, workId));
  const [assessmentUuid, setAssessmentUuid] = useState(
    () => stored?.assessmentUuid ?? kept?.assessmentUuid ?? newAssessmentUuid(),
  );
  const [base, setBase] = useState(() =>
    kept ? kept.base : stored && { version: stored.version, content: contentOfAssessment(stored) },
  );
  const [conflict, setConflict] = useState(() => (kept && kept.base?.version !== stored?.version ? stored : null));
  const initial = () => (stored ? toForm(contentOfAssessment(stored)) : newForm(facility.serviceAreas, lastVisit));
  const form = useForm<FormValues>({
    defaultValues: kept ? valuesOf(kept, facility.serviceAreas, timeZone) : initial(),
    resolver: useMemo(() => assessmentResolver(facilityUuid, today), [facilityUuid, today]),
    // The field may be in a step that is not shown: goToFirst leads there.
    shouldFocusError: false,
  });
  const { handleSubmit, reset, formState } = form;
  const { errors, isSubmitting } = formState;
  const { step, goTo, goToField, goToFirst, next, back } = useSteps();
  const isWide = useIsWide(wideFrom);
  const { isDayRefused, showRefused, forgetRefused } = useRefusals(form, kept, isNew, goToFirst);
  const draft = useDraft(form, { facilityUuid, facilityName, assessmentUuid, isNew, base }, kept);
  const [unkept, setUnkept] = useState<Reason>();
  const [isSealed, setSealed] = useState(kept?.status === "waiting");
  const isWrong = useSyncExternalStore(subscribeToClock, isClockWrong);
  const isDayWanted = isNew && isWrong && !isSealed;
  const alert = useRef<HTMLDivElement>(null);
  const saveButton = useRef<HTMLButtonElement>(null);
  const events = useMemo(() => formEvents(form), [form]);
  const previous = (isNew ? lastVisit?.content : base?.content) ?? null;
  const [accepted, setAccepted] = useState<string[]>([]);
  const asked = useWatch({
    control: form.control,
    compute: (values) => unusualIn(contentOfForm(values), previous, today),
  }).filter(({ question }) => !accepted.includes(question));

  const save = async (values: FormValues, from = base) => {
    if (isNew && !isSealed && isClockWrong() && !values.visitDay) {
      form.setError("visitDay", { message: "Enter the day of the visit" });
      goToField("visitDay");
      return;
    }
    draft.end(true);
    setUnkept(undefined);
    const work = draft.workWith(values);
    const outcome = await saveAssessment({ ...work, base: from, visitedAt: visitedAtOf(work, timeZone) }, tellOutcomes);
    switch (outcome.kind) {
      case "saved":
      case "waiting":
        if (outcome.kind === "saved") await untilPageIsFresh?.();
        // Somebody who has opened another screen meanwhile stays there. First, so that the messages take their room with
        // the screen that opens.
        if (saveButton.current) navigate(routes.facility(facilityUuid));
        if (outcome.kind === "saved") showSuccess("Saved the assessment");
        if (outcome.kind === "saved" && outcome.warning) showWarning(outcome.warning);
        if (values.carried?.fields.length)
          showMessage(`Left out, for nobody confirmed it: ${groupsOf(values.carried.fields).join(", ")}`);
        return;
      case "conflict":
        if (isNew) {
          navigate(routes.assessment(facilityUuid, assessmentUuid));
          return;
        }
        setConflict(outcome.present);
        break;
      case "refused":
        showRefused(outcome.errors);
        break;
      case "nowhere":
        setUnkept(outcome.reason);
        break;
    }
    draft.end(false);
    if (outcome.kind !== "nowhere") {
      draft.correct();
      setSealed(true);
    }
    requestAnimationFrame(() => (alert.current?.hasChildNodes() ? alert.current.focus() : undefined));
  };

  const settle = async (fieldsOfTheirs: string[], present: StoredAssessment) => {
    const [mine, theirs] = [contentOfForm(form.getValues()), contentOfAssessment(present)];
    const keptOfMine = changesByPerson(mine, theirs).filter(({ field }) => !fieldsOfTheirs.includes(field));
    const values = toForm(before(theirs, keptOfMine));
    const from = { version: present.version, content: theirs };
    reset(values);
    setBase(from);
    setConflict(null);
    await handleSubmit((checked) => save(checked, from))();
  };

  const discard = async () => {
    const next = isNew ? newAssessmentUuid() : assessmentUuid;
    await draft.discard(next);
    setKept(undefined);
    setSealed(false);
    setAssessmentUuid(next);
    setBase(stored && { version: stored.version, content: contentOfAssessment(stored) });
    setConflict(null);
    forgetRefused();
    reset(initial());
    // The pressed button disappears with the notice, so the focus moves to the first field.
    requestAnimationFrame(() => goToField("primaryPower"));
  };

  const submit = () =>
    handleSubmit(
      (values) => (asked.length ? goTo("review", acceptName) : save(values)),
      (wrong) => goToFirst(wrongFields(wrong)),
    )();
  const goToEnd = () => (isWide ? saveButton.current?.focus() : goTo("review"));

  // Each section subscribes to its own values and errors, so that a change does not render all sections again.
  const sections = useMemo(
    () => (
      <InSteps>
        <PowerSection form={form} lastVisit={lastVisit} />
        <SmartCareSection
          form={form}
          versions={versions}
          areaName={areaName}
          isLocated={isNew && !isSealed}
          registered={registered}
          lastVisit={lastVisit}
          previous={previous}
          today={today}
        />
        <>
          <ContactSection contact="contactA" form={form} lastVisit={lastVisit} />
          <ContactSection contact="contactB" form={form} lastVisit={lastVisit} />
          <ClosingSection form={form} />
          {isNew ? <ActionsSection form={form} today={today} /> : null}
        </>
      </InSteps>
    ),
    [form, versions, areaName, isNew, isSealed, registered, lastVisit, previous, today],
  );

  return (
    <form className="assessment-form" {...events} noValidate onSubmit={(event) => event.preventDefault()}>
      <div className="assessment-side">
        <StepList control={form.control} step={step} onAgain={() => goTo(step)} />
        <div hidden={!isWide && step !== "power" && step !== "review"}>
          <LastVisitNote form={form} lastVisit={lastVisit} onConfirmed={goToEnd} />
        </div>
      </div>
      <div className="stack assessment-fields">
        {kept ? <DraftNotice kept={kept} onDiscard={() => void discard()} /> : null}
        {conflict ? (
          <ConflictSection
            key={conflict.version}
            base={base?.content ?? null}
            mine={contentOfForm(form.getValues())}
            theirs={contentOfAssessment(conflict)}
            stored={conflict}
            areaName={areaName}
            onSettle={(fields) => void settle(fields, conflict)}
          />
        ) : null}
        {isDayRefused || isDayWanted ? <VisitDayField form={form} today={today} isClockWrong={isDayWanted} /> : null}
        <ShownStep value={isWide ? null : step}>
          {sections}
          <ReviewSection
            form={form}
            areaName={areaName}
            compared={previous ? { content: previous, title: isNew ? "Last visit" : "Before" } : null}
            asked={asked}
            onAccept={({ question }) => {
              setAccepted([...accepted, question]);
              saveButton.current?.focus();
            }}
            onGoToField={goToField}
            said={
              <div ref={alert} tabIndex={-1}>
                <FormAlert message={errors.root?.message} />
                {unkept ? <UnkeptNotice reason={unkept} work={() => draft.workWith(form.getValues())} /> : null}
              </div>
            }
            exporting={
              <div>
                <ExportButton
                  href={isNew ? undefined : files.assessmentCsv(assessmentUuid)}
                  label="of this assessment"
                />
              </div>
            }
          />
        </ShownStep>
        <div role="status">
          {unkeptTexts[draft.state] ? <Callout intent="warning">{unkeptTexts[draft.state]}</Callout> : null}
        </div>
      </div>
      <div className="assessment-actions screen-only">
        {back && !isWide ? <Button onClick={back} text="Back" /> : null}
        <span className="note" role="status">
          {draft.state === "kept" ? "Kept on this device as a draft" : null}
        </span>
        {next && !isWide ? (
          <Button className="assessment-next" intent={Intent.PRIMARY} onClick={next} text="Next" />
        ) : (
          <Button
            className="assessment-next"
            disabled={isSubmitting}
            intent={Intent.PRIMARY}
            onClick={() => void submit()}
            ref={saveButton}
            text={isSubmitting ? "Saving …" : "Save"}
          />
        )}
      </div>
    </form>
  );
}
