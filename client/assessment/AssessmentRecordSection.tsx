import { Card } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { MapLink } from "../ui/page/MapLink.tsx";
import { useSystem } from "../shell/session/viewer.ts";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { contentOfAssessment } from "./assessmentContent.ts";
import { contactFields, labels, valueText } from "./fieldLabels.ts";
import { sections } from "./formSections.ts";
import { accuracyText } from "./positionText.ts";
import type { SectionName } from "./formSections.ts";
import type { StoredAssessment } from "./saveAssessment.ts";

type Said = string | number | boolean | null;

function Answer({ field, said, label, isWide }: { field: keyof typeof labels; said: Said; label?: string; isWide?: boolean }) {
  return (
    <Fact isWide={isWide} label={label ?? labels[field]} unknown="Not recorded">
      {valueText(field, said)}
    </Fact>
  );
}

function Part({ name, children }: { name: SectionName; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id}>{sections[name].title}</h2>
      {children}
    </Card>
  );
}

function powerText(isThere: boolean | null, isWorking: boolean | null): string {
  if (!isThere) return valueText("primaryPower", isThere);
  return isWorking === null ? "Yes, not recorded whether it works" : isWorking ? "Yes, working" : "Yes, not working";
}

function Power({ content, power }: { content: Content; power: "primary" | "backup" }) {
  return (
    <>
      <Fact label={labels[`${power}Power`]} unknown="Not recorded">
        {powerText(content[`${power}Power`], content[`${power}PowerWorking`])}
      </Fact>
      <Answer field={`${power}PowerNotes`} isWide said={content[`${power}PowerNotes`]} />
    </>
  );
}

/** Phone numbers and e-mail addresses are links. */
function reach(type: string, said: string): ReactNode {
  if (type === "email") return <a href={`mailto:${said}`}>{said}</a>;
  const number = said.replaceAll(/[^\d+]/g, "");
  return type === "tel" && number ? <a href={`tel:${number}`}>{said}</a> : said;
}

function Contact({ content, contact }: { content: Content; contact: "contactA" | "contactB" }) {
  const said = contactFields.map((field) => ({ ...field, value: content[`${contact}${field.part}`] }));
  return (
    <Part name={contact}>
      {said.some(({ value }) => value) ? (
        <FactList>
          {said.map(({ part, label, type, value }) => (
            <Fact key={part} label={label} unknown="Not recorded">
              {value ? reach(type, value) : null}
            </Fact>
          ))}
        </FactList>
      ) : (
        <p className="soft">Not recorded</p>
      )}
    </Part>
  );
}

type AssessmentRecordSectionProps = { assessment: StoredAssessment; areaName: (serviceAreaId: number) => string };

/** An assessment as text, for people who may not change it. */
export function AssessmentRecordSection({ assessment, areaName }: AssessmentRecordSectionProps) {
  const id = useId();
  const { userName, assessmentDate, assessmentTime } = assessment;
  const content = contentOfAssessment(assessment);
  const { latitude, longitude, positionAccuracy, positionAt, serviceAreaAssessments: areas } = content;
  const { timeZone } = useSystem();
  return (
    <div className="stack is-apart">
      <p className="note">
        Assessed on {formatDate(assessmentDate)} at {formatTime(assessmentTime)} by {userName}
      </p>
      <Part name="power">
        <FactList>
          <Power content={content} power="primary" />
          <Power content={content} power="backup" />
        </FactList>
      </Part>
      <Part name="smartCare">
        <FactList>
          <Answer field="functionalityStatusMode" said={content.functionalityStatusMode} />
          <Answer field="smartCareFunctional" said={content.smartCareFunctional} />
          <Answer field="libraryVersion" said={content.libraryVersion} />
          <Answer field="databaseVersion" said={content.databaseVersion} />
          <Answer field="libraryVersionConsistent" said={content.libraryVersionConsistent} />
          <Answer field="dateOfLastUpgrade" said={content.dateOfLastUpgrade} />
          <Answer field="numberOfStaffTrainedInSmartCare" said={content.numberOfStaffTrainedInSmartCare} />
          <Fact label="GPS location" unknown="Not recorded">
            {latitude !== null && longitude !== null ? (
              <>
                <MapLink latitude={latitude} longitude={longitude} /> {accuracyText(positionAccuracy, positionAt, timeZone)}
              </>
            ) : null}
          </Fact>
          <Answer field="otherIssues" isWide said={content.otherIssues} />
        </FactList>
        <section aria-labelledby={id} className="stack">
          <h3 id={id}>Service Areas</h3>
          {areas.length === 0 ? <p className="note">This facility had no active service areas at the time of the visit.</p> : null}
          {areas.map((area) => (
            <div aria-label={areaName(area.serviceAreaId)} className="service-area stack" key={area.serviceAreaId} role="group">
              <h4>{areaName(area.serviceAreaId)}</h4>
              <FactList>
                <Answer field="smartCareFunctional" said={area.smartCareFunctional} />
                <Answer field="libraryVersion" said={area.libraryVersion} />
                <Answer field="databaseVersion" said={area.databaseVersion} />
                <Answer field="additionalNotes" isWide={(area.additionalNotes?.length ?? 0) > 40} said={area.additionalNotes} />
              </FactList>
            </div>
          ))}
        </section>
      </Part>
      <Contact contact="contactA" content={content} />
      <Contact contact="contactB" content={content} />
      <Part name="closing">
        <FactList>
          <Answer field="closingComments" isWide said={content.closingComments} />
        </FactList>
      </Part>
    </div>
  );
}
