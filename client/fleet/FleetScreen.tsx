import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { graphql } from "../gql/gql.ts";
import { isUuid } from "../../gateway/input/page.rules.ts";
import { fleetStates } from "../../gateway/fleet/fleetState.rules.ts";
import { placeFilters, placesIn } from "../reference/placeFilter.ts";
import { guarded } from "../shell/session/guard.ts";
import { PrintedNote } from "../shell/print/PrintedNote.tsx";
import { useMay } from "../shell/session/viewer.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { type Filters, isOneOf } from "../ui/filter/wrongFilter.ts";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { KnownFilters } from "../ui/notice/WrongFilterNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { FleetFilesTable } from "./FleetFilesTable.tsx";
import { FleetRolloutsTable } from "./FleetRolloutsTable.tsx";
import { FleetScopeField, useFleetScopeWords } from "./FleetScopeField.tsx";
import { FleetSitesSection } from "./FleetSitesSection.tsx";
import { FleetVersionsTable } from "./FleetVersionsTable.tsx";
import { OtherRolloutsTable } from "./OtherRolloutsTable.tsx";

const dialog = fetchedPart(() => import("./NewRolloutDialog.tsx"));

const query = graphql(`
  query FleetScreenQuery($provinceId: Int, $districtId: Int, $implementingPartnerId: Int) {
    fleet(provinceId: $provinceId, districtId: $districtId, implementingPartnerId: $implementingPartnerId) {
      facilities
      known
      versions { version facilities }
      ...FleetVersionsTable_Fleet
      rollouts { ...FleetRolloutsTable_FleetRollout }
      files { ...FleetFilesTable_FleetFile }
    }
    rollouts(first: 100) { nodes { ...OtherRolloutsTable_Rollout } }
  }
`);

/** What the address may have. */
const filters: Filters = {
  ...placeFilters,
  state: isOneOf("stuck", ...fleetStates),
  rollout: isUuid,
  file: isUuid,
};

export const loader = guarded(
  "viewFleet",
  screenLoader(query, ({ url }) => placesIn(url)),
);

function Fleet() {
  const [url] = useSearchParams();
  const mayManage = useMay("manageRollouts");
  const [isMaking, setMaking] = useState(false);
  const answer = useScreenQuery(query, placesIn(url));
  const { reload } = answer;
  const scopeWords = useFleetScopeWords();
  const close = () => setMaking(false);
  const unfetched = (message: string) => {
    close();
    showError(message);
  };
  return (
    <Page
      title="Fleet"
      help={<TermButton term="rollout" name="Rollout" />}
      actions={
        <>
          <FleetScopeField />
          {mayManage ? (
            <Button icon={<AddIcon />} intent="primary" onClick={() => setMaking(true)} text="New rollout" />
          ) : null}
        </>
      }
    >
      <PrintedNote answer={answer.data} words={[scopeWords]} />
      <QueryState query={answer} what="figures of the fleet">
        {({ fleet, rollouts }) =>
          fleet ? (
            <div className="stack is-apart">
              <section aria-labelledby="fleet-versions" className="stack is-close">
                <h2 id="fleet-versions">Versions over time</h2>
                <FleetVersionsTable fleet={fleet} />
                <p className="note">
                  The version of {formatNumber(fleet.known)} of {counted(fleet.facilities, "facility", "facilities")} is
                  known, by the latest TDB or visit that names one.
                </p>
              </section>
              <section aria-labelledby="fleet-rollouts" className="stack is-close">
                <h2 id="fleet-rollouts">Rollouts</h2>
                <FleetRolloutsTable mayManage={mayManage} onChange={reload} rows={fleet.rollouts} />
                <OtherRolloutsTable mayManage={mayManage} onChange={reload} rows={rollouts?.nodes ?? []} />
              </section>
              <section aria-labelledby="fleet-files" className="stack is-close">
                <h2 id="fleet-files">Who still needs which file</h2>
                <FleetFilesTable rows={fleet.files} />
              </section>
            </div>
          ) : null
        }
      </QueryState>
      {answer.data ? <FleetSitesSection scope={placesIn(url)} /> : null}
      <FetchedDialog isOpen={isMaking} onFailure={unfetched} part={dialog}>
        {({ NewRolloutDialog }) => (
          <NewRolloutDialog
            isOpen={isMaking}
            onClose={close}
            onMade={() => {
              close();
              reload();
            }}
          />
        )}
      </FetchedDialog>
    </Page>
  );
}

/**
 * The versions that run in the country, the progress of the rollouts, which sites still need which file, and which
 * sites are stuck.
 */
export function FleetScreen() {
  return (
    <KnownFilters filters={filters}>
      <Fleet />
    </KnownFilters>
  );
}
