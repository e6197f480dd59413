import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { Page } from "../ui/page/Page.tsx";
import "./AssessmentScreen.css";

type VisitSheetProps = {
  facility: { facilityUuid: string; facilityName: string };
  /** what can be done about the visit, beside the form */
  controls?: ReactNode;
  /** of the facility */
  details: ReactNode;
  children: ReactNode;
};

/** The page of a visit: a low head, the panel of the facility, whose line says where it is and which visit, and the visit. */
export function VisitSheet({ facility, controls, details, children }: VisitSheetProps) {
  return (
    <Page
      actions={controls}
      isLow
      subtitle={<Link to={routes.facility(facility.facilityUuid)}>{facility.facilityName}</Link>}
      title="Assessment"
    >
      {details}
      {children}
    </Page>
  );
}
