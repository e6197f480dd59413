import { guarded } from "../shell/session/guard.ts";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { type UrlTab, UrlTabs } from "../ui/page/UrlTabs.tsx";
import { credentialFilterNames, credentialFilters } from "./credentialFilter.ts";
import { ServiceAccountsTab } from "./ServiceAccountsTab.tsx";
import { SiteCredentialsTab } from "./SiteCredentialsTab.tsx";

export const loader = guarded("manageMachines");

const SitesTab = () => (
  <KnownFilters filters={credentialFilters}>
    <SiteCredentialsTab />
  </KnownFilters>
);

const tabs: UrlTab[] = [
  { id: "sites", title: "Site credentials", panel: () => <SitesTab /> },
  { id: "accounts", title: "Service accounts", panel: () => <ServiceAccountsTab /> },
];

/** Callers that are not people: sites with their credentials, and service accounts. For administrators. */
export function MachinesScreen() {
  return (
    <Page title="Machines">
      <UrlTabs tabs={tabs} label="Kinds of machines" clears={["page", ...credentialFilterNames, "account"]} />
    </Page>
  );
}
