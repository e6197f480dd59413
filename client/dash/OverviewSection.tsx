import { useSearchParams } from "react-router-dom";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import type { UrlTab } from "../ui/page/UrlTabs.tsx";
import { cpuCores, cpus64Bit, functionality, implementationMode, libraryVersion, training } from "./figures.ts";
import { overviewParams } from "./overviewParams.ts";
import { ParamTab } from "./ParamTab.tsx";
import { PeriodTab } from "./PeriodTab.tsx";
import { ScopeControls } from "./ScopeControls.tsx";
import { overviewHeading, type OverviewScope } from "./scope.ts";
import "./OverviewSection.css";

/** Tabs that few people open first. They are fetched when they are opened. */
const summary = fetchedPart(() => import("./SummaryTab.tsx"));
const history = fetchedPart(() => import("./TdbHistoryTab.tsx"));
const silent = fetchedPart(() => import("./SilentTab.tsx"));

/** Tabs with figures of a year or quarter. */
const withPeriod = new Set(["functionality", "training", "mode", "library", "cores", "64-bit"]);

/** Tabs whose charts can be compared with those of another unit or year. */
const comparable = new Set(["functionality", "training", "mode"]);

const tabsOf = (scope: OverviewScope): UrlTab[] => [
  { id: "functionality", title: functionality.title, panel: () => <PeriodTab figure={functionality} scope={scope} /> },
  { id: "training", title: training.title, panel: () => <PeriodTab figure={training} scope={scope} /> },
  { id: "mode", title: implementationMode.title, panel: () => <PeriodTab figure={implementationMode} scope={scope} /> },
  { id: "library", title: libraryVersion.title, panel: () => <ParamTab figure={libraryVersion} scope={scope} /> },
  { id: "cores", title: cpuCores.title, panel: () => <ParamTab figure={cpuCores} scope={scope} /> },
  { id: "64-bit", title: cpus64Bit.title, panel: () => <ParamTab figure={cpus64Bit} scope={scope} /> },
  {
    id: "summary",
    title: "Assessment Summary",
    panel: () => <Fetched part={summary}>{({ SummaryTab }) => <SummaryTab scope={scope} />}</Fetched>,
  },
  {
    id: "tdbs",
    title: "TDB History",
    panel: () => <Fetched part={history}>{({ TdbHistoryTab }) => <TdbHistoryTab scope={scope} />}</Fetched>,
  },
  {
    id: "silent",
    title: "Overdue Sites",
    panel: () => <Fetched part={silent}>{({ SilentTab }) => <SilentTab scope={scope} />}</Fetched>,
  },
];

const ofOnePanel = [overviewParams.unitPage, overviewParams.facilityPage];

/**
 * The overview of the nation, a province, a district or a partner: its scope, charts, the assessment summary and the
 * TDB history. Neither the section nor its tabs have the heading as their label, because a label that contains "view"
 * could be mistaken for the control View.
 */
export function OverviewSection({ scope }: { scope: OverviewScope }) {
  const [params] = useSearchParams();
  const tabs = tabsOf(scope);
  const shown = tabs.find(({ id }) => id === params.get(overviewParams.tab)) ?? tabs[0]!;
  return (
    <section className="overview">
      <ScopeControls hasPeriod={withPeriod.has(shown.id)} isComparable={comparable.has(shown.id)} scope={scope} />
      <h2 tabIndex={-1}>{overviewHeading(scope)}</h2>
      <UrlTabs
        choice={{ label: "Chart", below: 1280 }}
        clears={ofOnePanel}
        label="Charts and tables"
        name={overviewParams.tab}
        tabs={tabs}
      />
    </section>
  );
}
