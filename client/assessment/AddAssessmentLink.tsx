import { Classes } from "@blueprintjs/core";
import { AddIcon, EditIcon } from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { now } from "../shell/clock/clock.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { instantText } from "../ui/text/instants.ts";
import { useKeptWork } from "./keptWork.ts";

const timeLength = "HH:MM".length;

/** Opens the form of a new visit to a facility, or the person's own draft of one, with its time: its day if not today. */
export function AddAssessmentLink({ facilityUuid }: { facilityUuid: string }) {
  const { timeZone } = useSystem();
  const draft = useKeptWork().findLast(
    (work) => work.facilityUuid === facilityUuid && work.isNew && work.status === "draft",
  );
  const at = draft && instantText(draft.keptAt, timeZone);
  const isOfToday = at?.slice(0, -timeLength) === instantText(now(), timeZone).slice(0, -timeLength);
  return (
    <Link
      className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`}
      to={routes.assessment(facilityUuid, undefined, draft?.workId)}
    >
      {at ? <EditIcon /> : <AddIcon />}
      <span className={Classes.BUTTON_TEXT}>
        {at ? `Continue draft of ${isOfToday ? at.slice(-timeLength) : at}` : "Add new assessment"}
      </span>
    </Link>
  );
}
