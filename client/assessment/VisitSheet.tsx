import { Button } from "@blueprintjs/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { Page } from "../ui/page/Page.tsx";
import "./AssessmentScreen.css";

type VisitSheetProps = {
  facility: { facilityUuid: string; facilityName: string };
  district: ReactNode;
  /** which visit it is, or when the last one was */
  when: string;
  /** what can be done about the visit, beside the form */
  controls?: ReactNode;
  /** of the facility */
  details: ReactNode;
  /** whether they are shown at first */
  isOpen?: boolean;
  children: ReactNode;
};

/** The page of a visit: a low head that says where it is, and the facility's details, which it opens. */
export function VisitSheet({ facility, district, when, controls, details, isOpen = false, children }: VisitSheetProps) {
  const [isShown, setShown] = useState(isOpen);
  return (
    <Page
      actions={
        <>
          {controls}
          <Button
            aria-expanded={isShown}
            aria-label="Details of the facility"
            className="visit-details"
            onClick={() => setShown(!isShown)}
            text="Details"
          />
        </>
      }
      isLow
      subtitle={
        <>
          <Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link> · {district} · {when}
        </>
      }
      title="Assessment"
    >
      {isShown ? details : null}
      {children}
    </Page>
  );
}
