import { Card } from "@blueprintjs/core";
import { OfflineIcon, RefreshIcon } from "@blueprintjs/icons";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { Link } from "react-router-dom";
import { useKeptWork } from "../assessment/keptWork.ts";
import { WaitingNotice } from "../assessment/WaitingNotice.tsx";
import { type KeptFacility, listKeptFacilities } from "../keptAnswers.ts";
import { routes } from "../routes.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { Notice } from "../ui/notice/Notice.tsx";
import { Page } from "../ui/page/Page.tsx";

/* The browser says that it is online before its first request gets through. */
const againMs = 5_000;

type UnreachableFacilityNoticeProps = { facilityUuid: string; isFetching: boolean; onRetry: () => void };

/**
 * Shown without network in place of a facility that this device has not stored: the unsent work for it, and what can be
 * done.
 */
export function UnreachableFacilityNotice({ facilityUuid, isFetching, onRetry }: UnreachableFacilityNoticeProps) {
  const id = useId();
  const name = useKeptWork().find((work) => work.facilityUuid === facilityUuid)?.facilityName;
  const [others, setOthers] = useState<KeptFacility[]>([]);
  useEffect(() => {
    void listKeptFacilities().then(setOthers);
  }, []);
  const retry = useRef(onRetry);
  // In a layout effect, together with the screen's own update, so that a network that returns at that moment is
  // noticed.
  useLayoutEffect(() => {
    retry.current = onRetry;
  });
  useLayoutEffect(() => {
    const again = () => retry.current();
    const timer = setInterval(again, againMs);
    window.addEventListener("online", again);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", again);
    };
  }, []);

  return (
    <Page title={name ?? "Facility"}>
      <WaitingNotice facilityUuid={facilityUuid} />
      <Notice heading="There is no connection" icon={<OfflineIcon />} role="status">
        <p>
          This facility is not kept on this device. It is shown as soon as the network is back; nothing that you saved
          is lost.
        </p>
        <p>
          Facilities of a place or partner can be downloaded: <Link to={routes.field()}>Prepare for the field</Link>
        </p>
        <BusyButton icon={<RefreshIcon />} isBusy={isFetching} onClick={onRetry} text="Try again" />
      </Notice>
      {others.length ? (
        <Card aria-labelledby={id} className="stack is-close" role="region">
          <h2 id={id}>Facilities kept on this device</h2>
          <p>These open without network, and a new assessment of them can be begun.</p>
          <ul className="grid plain">
            {others.map((other) => (
              <li key={other.facilityUuid}>
                <Link to={routes.facility(other.facilityUuid)}>{other.facilityName}</Link>{" "}
                <span className="note">
                  {other.districtName}
                  {other.hmisCode ? `, ${other.hmisCode}` : null}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </Page>
  );
}
