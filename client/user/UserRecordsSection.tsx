import type { ReactNode } from "react";
import type { Capability, Privileges } from "../../gateway/access/access.rules.ts";
import { may } from "../../gateway/access/access.rules.ts";
import { assessmentListNames } from "../assessment/assessmentList.ts";
import { useViewer } from "../shell/session/viewer.ts";
import { tdbListNames } from "../tdb/tdbList.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import type { UrlTab } from "../ui/page/UrlTabs.tsx";

/** The code of the lists is fetched when somebody opens them. */
const userAssessments = fetchedPart(() => import("../assessment/UserAssessmentsTab.tsx"));
const userTdbs = fetchedPart(() => import("../tdb/UserTdbsTab.tsx"));
const allTdbs = fetchedPart(() => import("../tdb/AllTdbsTab.tsx"));

type RecordsTab = { id: string; title: string; needs: Capability; forWhom: string; panel: (userUuid: string) => ReactNode };

/** The three lists of a profile. */
const tabs: RecordsTab[] = [
  { id: "assessments", title: "User Assessments", needs: "viewAssessments", forWhom: "view assessments", panel: (userUuid) => <Fetched part={userAssessments}>{({ UserAssessmentsTab }) => <UserAssessmentsTab userUuid={userUuid} />}</Fetched> },
  { id: "userTdbs", title: "User Uploaded TDBs", needs: "viewTdbs", forWhom: "upload TDBs", panel: (userUuid) => <Fetched part={userTdbs}>{({ UserTdbsTab }) => <UserTdbsTab userUuid={userUuid} />}</Fetched> },
  { id: "allTdbs", title: "All Uploaded TDBs", needs: "viewTdbs", forWhom: "upload TDBs", panel: () => <Fetched part={allTdbs}>{({ AllTdbsTab }) => <AllTdbsTab />}</Fetched> },
];

const clears = ["start", "end", "page", "tdbPage", "allTdbPage", ...tdbListNames, ...assessmentListNames];

const tabsFor = (privileges: Privileges, userUuid: string): UrlTab[] =>
  tabs.map(({ id, title, needs, forWhom, panel }) => ({
    id,
    title,
    panel: () => (may(privileges, needs) ? panel(userUuid) : <Empty>This list is shown to those who may {forWhom}.</Empty>),
  }));

/** A person's assessments and TDBs, for people who may see them. */
export function UserRecordsSection({ userUuid }: { userUuid: string }) {
  const { privileges } = useViewer();
  return <UrlTabs label="Records of the user" clears={clears} tabs={tabsFor(privileges, userUuid)} />;
}
