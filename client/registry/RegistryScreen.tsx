import { Classes } from "@blueprintjs/core";
import { Link, type LoaderFunction } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import type { PlaceKind } from "../../gateway/reference/place.rules.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { Page } from "../ui/page/Page.tsx";
import { type UrlTab, UrlTabs } from "../ui/page/UrlTabs.tsx";
import { ClosedTab, loader as closed } from "./ClosedTab.tsx";
import { loader as merges, MergesTab } from "./MergesTab.tsx";
import { placeNames } from "./placeWords.ts";
import { PlacesTab, placesLoader } from "./PlacesTab.tsx";
import { loader as systems, SystemsTab } from "./SystemsTab.tsx";
import "./registry.css";

const kinds = Object.keys(placeNames) as PlaceKind[];
const provinces = placesLoader("province");
const loaders: Record<string, LoaderFunction> = {
  closed,
  merges,
  systems,
  ...Object.fromEntries(kinds.map((kind) => [`${kind}s`, placesLoader(kind)])),
};
export const loader = guarded("editRegistry", (args) =>
  (loaders[new URL(args.request.url).searchParams.get("tab") ?? ""] ?? provinces)(args),
);

/** The first tab has content in every country that uses the platform. */
const tabs: UrlTab[] = [
  ...kinds.map((kind) => ({
    id: `${kind}s`,
    title: placeNames[kind].titles,
    panel: () => <PlacesTab key={kind} kind={kind} />,
  })),
  { id: "closed", title: "Closed facilities", panel: () => <ClosedTab /> },
  { id: "merges", title: "Merges", panel: () => <MergesTab /> },
  { id: "systems", title: "Identifier systems", panel: () => <SystemsTab /> },
];

/**
 * The registry: places and partners, closed and merged facilities, systems of identifiers, and the way to add to them.
 */
export function RegistryScreen() {
  return (
    <Page
      title="Registry"
      help={<TermButton term="registry" name="Registry" />}
      actions={
        <>
          <Link className={Classes.BUTTON} to={routes.registryImports()}>
            Imports
          </Link>
          <Link className={Classes.BUTTON} to={routes.reconciliations()}>
            Reconciliation
          </Link>
          <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`} to={routes.registryOf()}>
            Add facility
          </Link>
        </>
      }
    >
      <UrlTabs
        choice={{ label: "Part", below: 641 }}
        clears={["page", "named"]}
        label="Parts of the registry"
        tabs={tabs}
      />
    </Page>
  );
}
