import { Dialog } from "@blueprintjs/core";
import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { QueryState } from "../ui/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { FacilityEditForm } from "./FacilityEditForm.tsx";
import type { FacilityConfiguration } from "./FacilityEditForm.tsx";
import "./FacilityEditDialog.css";

const query = graphql(`
  query FacilityEditDialogQuery($facilityUuid: String!) {
    facility(facilityUuid: $facilityUuid) {
      id
      implementingPartner { id implementingPartnerId implementingPartner active }
      serviceAreas { id serviceAreaId }
      connectivity { present details mobileCoverage type { id type } mobileProvider { id provider } }
    }
    implementingPartners(active: true) { nodes { id implementingPartnerId implementingPartner } }
    serviceAreas { id serviceAreaId serviceArea }
    connectivityTypes { id type }
    connectivityProviders { id provider }
  }
`);
type FacilityEditDialogProps = { facilityUuid: string; facilityName: string; onSaved: () => void; onClose: () => void };

/** A facility's configuration: its partner and service areas, and how it is connected. */
export function FacilityEditDialog({ facilityUuid, facilityName, onSaved, onClose }: FacilityEditDialogProps) {
  const answer = useScreenQuery(query, { facilityUuid });
  const [data, setData] = useState<FacilityConfiguration>();
  const { facility } = answer.data ?? {};
  // What was read first stays until the dialog closes: an answer that comes later must not undo what is being typed.
  if (!data && answer.data && facility && !answer.stale) setData({ ...answer.data, facility });
  return (
    <Dialog className="facility-edit-dialog" isOpen onClose={onClose} title={`Edit ${facilityName}`}>
      <QueryState query={{ ...answer, data }} what="facility">
        {(read) => <FacilityEditForm data={read} facilityUuid={facilityUuid} onClose={onClose} onSaved={onSaved} />}
      </QueryState>
    </Dialog>
  );
}
