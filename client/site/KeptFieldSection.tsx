import { Button, Card } from "@blueprintjs/core";
import { RefreshIcon, TrashIcon } from "@blueprintjs/icons";
import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { countKeptBytes, readKeptSites } from "../facility/fieldSites.ts";
import type { FieldNote } from "../facility/fieldSites.ts";
import { counted } from "../ui/text/counted.ts";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { BusyButton } from "../ui/form/BusyButton.tsx";
import { instantText } from "../ui/text/instants.ts";

type District = { districtId: number; district: string; province: string; count: number };

type KeptFieldSectionProps = {
  note: FieldNote;
  isBusy: boolean;
  onRefresh: () => void;
  onRemove: () => void;
  children: ReactNode;
};

/** The downloaded sites: how many, as of when, with a link to them. */
export function KeptFieldSection({ note, isBusy, onRefresh, onRemove, children }: KeptFieldSectionProps) {
  const { timeZone } = useSystem();
  const [bytes, setBytes] = useState<number>();
  const [districts, setDistricts] = useState<District[]>([]);
  useEffect(() => {
    void countKeptBytes().then(setBytes);
    void readKeptSites().then((kept) => {
      const found = new Map<number, District>();
      for (const { districtId, district, province } of kept?.sites ?? []) {
        const before = found.get(districtId);
        found.set(districtId, { districtId, district, province, count: (before?.count ?? 0) + 1 });
      }
      setDistricts([...found.values()].toSorted((one, other) => (one.district < other.district ? -1 : 1)));
    });
  }, [note]);
  const visits = note.visits.reduce((sum, { count }) => sum + count, 0);

  return (
    <Card className="stack" aria-labelledby="field-kept-heading" role="region">
      <h2 id="field-kept-heading">On this device: {note.scopeName}</h2>
      <p>
        {counted(note.total, "site")}, as of {instantText(note.asOf, timeZone)}.{" "}
        {note.visits.length
          ? `Last visits of ${counted(note.visits.length, "district")}: ${counted(visits, "visit")}. `
          : ""}
        {bytes === undefined ? "" : `They take ${(bytes / 1e6).toFixed(1)} MB of this device.`}
      </p>
      <div className="row">
        <BusyButton icon={<RefreshIcon />} isBusy={isBusy} onClick={onRefresh} text="Refresh" />
        <Button disabled={isBusy} icon={<TrashIcon />} onClick={onRemove} text="Remove from this device" />
        <Link to={routes.search()}>Search these sites</Link>
      </div>
      {children}
      <details>
        <summary>Sites by district</summary>
        <ul className="grid plain">
          {districts.map(({ districtId, district, province, count }) => (
            <li key={districtId}>
              <Link to={routes.facilitiesOfDistrict(districtId)}>{district}</Link> ({province}, {count})
            </li>
          ))}
        </ul>
      </details>
    </Card>
  );
}
