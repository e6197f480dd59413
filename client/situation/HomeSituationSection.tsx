import { useSearchParams } from "react-router-dom";
import { idInPath } from "../ui/list/idInPath.ts";
import { SituationSection } from "./SituationSection.tsx";

/** The situation of the country on Home, or of the partner of the scope. */
export function HomeSituationSection() {
  const [url] = useSearchParams();
  const implementingPartnerId = idInPath(url.get("partner"));
  return <SituationSection scope={implementingPartnerId === undefined ? {} : { implementingPartnerId }} />;
}
