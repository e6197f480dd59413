import { Button } from "@blueprintjs/core";
import { OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { useEffect, useId } from "react";
import { Link } from "react-router-dom";
import { useKeptWork } from "../assessment/keptWork.ts";
import { WaitingHere } from "../assessment/WaitingHere.tsx";
import { listKeptFacilities } from "../keptAnswers.ts";
import { routes } from "../routes.ts";
import { useViewer } from "../shell/viewer.ts";
import { Notice } from "../ui/Notice.tsx";
import { Page } from "../ui/Page.tsx";
import "./UnreachableFacility.css";

type UnreachableFacilityProps = { facilityUuid: string; onRetry: () => void };

/** In the place of a facility that this device does not hold while there is no network: what waits here, and what can be done. */
export function UnreachableFacility({ facilityUuid, onRetry }: UnreachableFacilityProps) {
  const id = useId();
  const name = useKeptWork(useViewer().user.uuid).find((work) => work.facilityUuid === facilityUuid)?.facilityName;
  const others = listKeptFacilities();
  useEffect(() => {
    window.addEventListener("online", onRetry);
    return () => window.removeEventListener("online", onRetry);
  }, [onRetry]);

  return (
    <Page title={name ?? "Facility"}>
      <WaitingHere facilityUuid={facilityUuid} />
      <Notice heading="There is no connection" icon={<OfflineIcon size={20} />} role="status">
        <p>This facility is not kept on this device. It is shown as soon as the network is back; nothing that you saved is lost.</p>
        <Button icon={<RefreshIcon />} onClick={onRetry} text="Try again" />
      </Notice>
      {others.length ? (
        <section aria-labelledby={id} className="card kept-facilities">
          <h2 id={id}>Facilities kept on this device</h2>
          <p>These open without network, and a new assessment of them can be begun.</p>
          <ul>
            {others.map((other) => (
              <li key={other.facilityUuid}>
                <Link to={routes.facility(other.facilityUuid)}>{other.facilityName}</Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Page>
  );
}
