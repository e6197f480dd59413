import { FormGroup } from "@blueprintjs/core";
import { useId } from "react";
import { useSearchParams } from "react-router-dom";
import { useSystem } from "../shell/session/viewer.ts";
import { DayInput } from "../ui/field/DayInput.tsx";
import { useAddress } from "../ui/filter/listAddress.ts";
import { Page } from "../ui/page/Page.tsx";
import { daysAfter, formatDate, mondayOf } from "../ui/text/dates.ts";
import { asAtWords } from "../shell/clock/asAt.ts";
import { ChangesSection } from "./ChangesSection.tsx";
import { DocumentScopeControls } from "./DocumentScopeControls.tsx";
import { readReportScope } from "./reportScope.ts";
import { useScopeNames } from "./useScopeNames.ts";
import "./OverviewSection.css";
import "./ReportScreen.css";

const week = 7;
const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && text >= "2000-01-01" && !Number.isNaN(Date.parse(text));

/** What changed since a chosen day: by default within the last week. */
export function ChangesScreen() {
  const { today, timeZone } = useSystem();
  const [params] = useSearchParams();
  const change = useAddress();
  const field = useId();
  const about = readReportScope(params);
  const names = useScopeNames(about.scope, about.partner);
  const { place, partnerWords } = names;
  const asked = params.get("since");
  const since = isDay(asked) && asked <= today ? asked : daysAfter(today, -week);
  const choose = (day: string) => {
    if (isDay(day)) change({ since: day });
  };
  return (
    <Page
      title="What changed"
      subtitle={[place, partnerWords, `since ${formatDate(since)}`, asAtWords(timeZone)].filter(Boolean).join(" · ")}
    >
      <div className="report-controls row screen-only">
        <DocumentScopeControls {...about} names={names} />
        <FormGroup label="Since" labelFor={field}>
          <DayInput id={field} label="Since" max={today} onChange={choose} value={since} />
        </FormGroup>
        {[mondayOf(today), daysAfter(mondayOf(today), -week)].map((monday) => (
          <button className="link-button" key={monday} onClick={() => choose(monday)} type="button">
            Since Monday, {formatDate(monday)}
          </button>
        ))}
      </div>
      <ChangesSection {...about} from={daysAfter(since, -1)} start={since} to={today} />
    </Page>
  );
}
