import type { ReactNode } from "react";
import type { Capability, Privileges } from "../../gateway/access/access.rules.ts";
import { may } from "../../gateway/access/access.rules.ts";
import { assessmentListNames } from "../assessment/assessmentList.ts";
import { UserAssessmentsTab } from "../assessment/UserAssessmentsTab.tsx";
import { useViewer } from "../shell/session/viewer.ts";
import { AllTdbsTab } from "../tdb/AllTdbsTab.tsx";
import { tdbListNames } from "../tdb/tdbList.ts";
import { UserTdbsTab } from "../tdb/UserTdbsTab.tsx";
import { Empty } from "../ui/notice/Empty.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import type { UrlTab } from "../ui/page/UrlTabs.tsx";

type RecordsTab = {
  id: string;
  title: string;
  needs: Capability;
  forWhom: string;
  panel: (userUuid: string) => ReactNode;
};

/** The three lists of a profile. */
const tabs: RecordsTab[] = [
  {
    id: "assessments",
    title: "User Assessments",
    needs: "viewAssessments",
    forWhom: "view assessments",
    panel: (userUuid) => <UserAssessmentsTab userUuid={userUuid} />,
  },
  {
    id: "userTdbs",
    title: "User Uploaded TDBs",
    needs: "viewTdbs",
    forWhom: "upload TDBs",
    panel: (userUuid) => <UserTdbsTab userUuid={userUuid} />,
  },
  { id: "allTdbs", title: "All Uploaded TDBs", needs: "viewTdbs", forWhom: "upload TDBs", panel: () => <AllTdbsTab /> },
];

const clears = ["start", "end", "page", "tdbPage", "allTdbPage", ...tdbListNames, ...assessmentListNames];

const tabsFor = (privileges: Privileges, userUuid: string): UrlTab[] =>
  tabs.map(({ id, title, needs, forWhom, panel }) => ({
    id,
    title,
    panel: () =>
      may(privileges, needs) ? panel(userUuid) : <Empty>This list is shown to those who may {forWhom}.</Empty>,
  }));

/** A person's assessments and TDBs, for people who may see them. */
export function UserRecordsSection({ userUuid }: { userUuid: string }) {
  const { privileges } = useViewer();
  return <UrlTabs label="Records of the user" clears={clears} tabs={tabsFor(privileges, userUuid)} />;
}
