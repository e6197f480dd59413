import { Classes } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { Page } from "../ui/page/Page.tsx";
import { type UrlTab, UrlTabs } from "../ui/page/UrlTabs.tsx";
import { ClosedTab } from "./ClosedTab.tsx";
import { MergesTab } from "./MergesTab.tsx";
import "./registry.css";

export const loader = guarded("editRegistry");

const tabs: UrlTab[] = [
  { id: "closed", title: "Closed facilities", panel: () => <ClosedTab /> },
  { id: "merges", title: "Merges", panel: () => <MergesTab /> },
];

/** The list of facilities as it is kept: what was closed and what was merged, and the way to add. */
export function RegistryScreen() {
  return (
    <Page
      title="Registry"
      actions={
        <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`} to={routes.registryOf()}>
          Add facility
        </Link>
      }
    >
      <UrlTabs clears={["page"]} label="Parts of the registry" tabs={tabs} />
    </Page>
  );
}
