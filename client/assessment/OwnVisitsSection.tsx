import { routes } from "../routes.ts";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { LinkList } from "../ui/list/LinkList.tsx";
import { counted } from "../ui/text/counted.ts";
import { useKeptWork } from "./keptWork.ts";
import { useReceipts } from "./receipts.ts";
import { visitsOf, visitText } from "./visits.ts";

const most = 5;
const lastDaysMs = 3 * 24 * 60 * 60_000;

/** The person's drafts, visits that wait and those received in the last three days. Nothing if there are none. */
export function OwnVisitsSection() {
  const { timeZone } = useSystem();
  const work = useKeptWork();
  const receipts = useReceipts();
  const present = now();
  const since = new Date(present.getTime() - lastDaysMs).toISOString();
  const visits = visitsOf(
    work,
    receipts.filter(({ receivedAt }) => receivedAt > since),
  );
  if (visits.length === 0) return null;
  const rows = visits.slice(0, most).map((visit) => ({
    ...{ id: visit.key, title: visit.facilityName, to: visit.to },
    note: visitText(visit, timeZone, present),
  }));
  const note = visits.length > most ? `${counted(visits.length - most, "more visit")}, and your sites` : "Your sites";
  return (
    <div className="screen-only">
      <LinkList caption="Your visits" rows={[...rows, { id: "week", title: "My week", to: routes.field(), note }]} />
    </div>
  );
}
