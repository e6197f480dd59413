import type { ReactNode } from "react";
import { modeLabels } from "../../gateway/facility/mode.rules.ts";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { LinkList } from "../ui/list/LinkList.tsx";
import { routes } from "../routes.ts";

const fragment = graphql(`
  fragment FacilityLinks_Facility on Facility {
    id
    facilityUuid
    facilityName
    hmisCode
    functionalityStatusMode
    district { id name }
  }
`);

type FacilityLinksProps = {
  caption: string;
  rows: readonly FragmentType<typeof fragment>[];
  /** Whether each row shows its district. */
  withDistrict: boolean;
  /** Frequent filters, beside the caption. */
  often?: ReactNode;
};

/** Facilities in a narrow column: the name, and below it code, district and present mode. */
export function FacilityLinks({ caption, rows, withDistrict, often }: FacilityLinksProps) {
  return (
    <LinkList
      caption={caption}
      rows={readFragment(fragment, rows).map(
        ({ id, facilityUuid, facilityName, hmisCode, functionalityStatusMode, district }) => ({
          id,
          title: facilityName,
          to: routes.facility(facilityUuid),
          note: [
            withDistrict && district.name,
            hmisCode,
            functionalityStatusMode && modeLabels[functionalityStatusMode],
          ]
            .filter(Boolean)
            .join(" · "),
        }),
      )}
    >
      {often}
    </LinkList>
  );
}
