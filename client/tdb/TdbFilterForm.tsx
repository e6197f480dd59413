import { useSearchParams } from "react-router-dom";
import { PlaceFilterSection } from "../reference/PlaceFilterSection.tsx";
import { ParameterField } from "../ui/filter/FilterFields.tsx";
import { parametersOf, type TdbListKind } from "./tdbList.ts";

/** The filters of a list of TDBs. */
export function TdbFilterForm({ kind, ofPartner }: { kind: TdbListKind; ofPartner: string | undefined }) {
  const [url] = useSearchParams();
  return (
    <>
      {kind.of === "facility" ? null : (
        <PlaceFilterSection ofPath={{ implementingPartnerId: ofPartner }} pageName={kind.pageName} />
      )}
      {Object.entries(parametersOf(kind)).map(([name, parameter]) => (
        <ParameterField
          key={name}
          name={name}
          pageName={kind.pageName}
          parameter={parameter}
          value={url.get(name) ?? ""}
        />
      ))}
    </>
  );
}
