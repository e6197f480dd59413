import { useState } from "react";
import { graphql } from "../gql/gql.ts";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { useScreenQuery } from "../urql.ts";
import { FacilityEditForm } from "./FacilityEditForm.tsx";
import type { FacilityConfiguration } from "./FacilityEditForm.tsx";

const query = graphql(`
  query FacilityEditDialogQuery($facilityUuid: String!) {
    facility(facilityUuid: $facilityUuid) {
      id
      ...FacilityFields_Facility
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
type EditingProps = { facilityUuid: string; onSaved: () => void; onClose: () => void };

function Editing({ facilityUuid, onSaved, onClose }: EditingProps) {
  const answer = useScreenQuery(query, { facilityUuid });
  const [data, setData] = useState<FacilityConfiguration>();
  const { facility } = answer.data ?? {};
  // The first answer is used until the dialog closes: a later one must not overwrite what is being typed.
  if (!data && answer.data && facility && !answer.stale) setData({ ...answer.data, facility });
  return (
    <QueryState query={{ ...answer, data }} what="facility">
      {(read) => <FacilityEditForm data={read} facilityUuid={facilityUuid} onClose={onClose} onSaved={onSaved} />}
    </QueryState>
  );
}

type FacilityEditDialogProps = EditingProps & { facilityName: string; isOpen: boolean };

/** A facility's configuration: its partner, service areas, other settings and connectivity. It is queried when the dialog is opened. */
export function FacilityEditDialog({ facilityName, isOpen, ...editing }: FacilityEditDialogProps) {
  return (
    <ModalDialog className="is-wide" isOpen={isOpen} onClose={editing.onClose} title={`Edit ${facilityName}`}>
      <Editing {...editing} />
    </ModalDialog>
  );
}
