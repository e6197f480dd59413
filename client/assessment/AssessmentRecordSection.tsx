import { Card } from "@blueprintjs/core";
import { useId } from "react";
import type { ReactNode } from "react";
import type { AreaContent, Content, Values } from "../../gateway/assessment/content.rules.ts";
import { MapLink } from "../ui/page/MapLink.tsx";
import { useSystem } from "../shell/session/viewer.ts";
import { formatDate, formatTime } from "../ui/text/dates.ts";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { contentOfAssessment } from "./assessmentContent.ts";
import { contactFields, labels, valueText } from "./fieldLabels.ts";
import { sections } from "./formSections.ts";
import { accuracyText, registeredText } from "./positionText.ts";
import type { SectionName } from "./formSections.ts";
import type { StoredAssessment } from "./saveAssessment.ts";

type Said = Partial<Values & Omit<AreaContent, "serviceAreaId">>;
type Name = keyof Said & keyof typeof labels;
const wide = new Set<Name>(["primaryPowerNotes", "backupPowerNotes", "otherIssues", "closingComments"]);

/** These answers, each with its label. Long ones use the whole width. */
function Answers({ said, names }: { said: Said; names: readonly Name[] }) {
  return names.map((name) => {
    const text = valueText(name, said[name]);
    const isWide = wide.has(name) || (name === "additionalNotes" && text.length > 40);
    return (
      <Fact isWide={isWide} key={name} label={labels[name]} unknown="Not recorded">
        {text}
      </Fact>
    );
  });
}

function Part({ name, children }: { name: SectionName; children: ReactNode }) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id}>{sections[name]}</h2>
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
      <Answers names={[`${power}PowerNotes`]} said={content} />
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

const installationNames = [
  ...([
    "functionalityStatusMode",
    "smartCareFunctional",
    "libraryVersion",
    "databaseVersion",
    "libraryVersionConsistent",
  ] as const),
  ...(["dateOfLastUpgrade", "numberOfStaffTrainedInSmartCare"] as const),
];
const areaNames = ["smartCareFunctional", "libraryVersion", "databaseVersion", "additionalNotes"] as const;

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
          <Answers names={installationNames} said={content} />
          <Fact label="GPS location" unknown="Not recorded">
            {latitude !== null && longitude !== null ? (
              <>
                <MapLink latitude={latitude} longitude={longitude} />{" "}
                {accuracyText(positionAccuracy, positionAt, timeZone)} {registeredText(assessment.distanceFromFacility)}
              </>
            ) : null}
          </Fact>
          {content.positionNote ? <Answers names={["positionNote"]} said={content} /> : null}
          <Answers names={["otherIssues"]} said={content} />
        </FactList>
        <section aria-labelledby={id} className="stack">
          <h3 id={id}>Service Areas</h3>
          {areas.length === 0 ? (
            <p className="note">This facility had no active service areas at the time of the visit.</p>
          ) : null}
          {areas.map((area) => (
            <div
              aria-label={areaName(area.serviceAreaId)}
              className="service-area stack"
              key={area.serviceAreaId}
              role="group"
            >
              <h4>{areaName(area.serviceAreaId)}</h4>
              <FactList>
                <Answers names={areaNames} said={area} />
              </FactList>
            </div>
          ))}
        </section>
      </Part>
      <Contact contact="contactA" content={content} />
      <Contact contact="contactB" content={content} />
      <Part name="closing">
        <FactList>
          <Answers names={["closingComments"]} said={content} />
        </FactList>
      </Part>
    </div>
  );
}
