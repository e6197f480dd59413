import { Link } from "react-router-dom";
import { worklistKinds, worklistNames } from "../../../db/situation/state.rules.ts";
import { graphql } from "../../gql/gql.ts";
import type { HomeAttentionSectionQueryQuery } from "../../gql/graphql.ts";
import { type ModeScope, routes } from "../../routes.ts";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { QueryState } from "../../ui/notice/QueryState.tsx";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";
import { formatNumber } from "../../ui/text/counted.ts";
import { useScreenQuery } from "../../urql.ts";
import { AttentionCard } from "../AttentionCard.tsx";
import { worklistLink } from "../situationLinks.ts";

const query = graphql(`
  query HomeAttentionSectionQuery($provinceId: Int, $implementingPartnerId: Int) {
    situation(provinceId: $provinceId, implementingPartnerId: $implementingPartnerId) {
      newestLibraryVersion
      oldVersion { of }
      worklist { kind entries snoozed }
      worklistByPartner {
        implementingPartner { id implementingPartnerId implementingPartner }
        stopped lostPower silent oldVersion notVisited
      }
    }
  }
`);

type Partner = NonNullable<HomeAttentionSectionQueryQuery["situation"]>["worklistByPartner"][number];

const columnsIn = (scope: ModeScope): Column<Partner>[] => [
  {
    id: "partner",
    header: "Partner",
    rowHeader: true,
    cell: ({ implementingPartner: partner }) =>
      partner ? (
        <ScopeLink to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</ScopeLink>
      ) : (
        "No partner"
      ),
  },
  ...worklistKinds.map((kind): Column<Partner> => ({
    id: kind,
    header: worklistNames[kind],
    numeric: true,
    phone: "figure",
    cell: ({ implementingPartner: partner, [kind]: count }) =>
      // No list has the sites without a partner only.
      partner === null || count === 0 ? (
        formatNumber(count)
      ) : (
        <Link
          aria-label={`${formatNumber(count)}, ${worklistNames[kind]}, ${partner.implementingPartner}`}
          to={worklistLink(kind, { ...scope, implementingPartnerId: partner.implementingPartnerId })}
        >
          {formatNumber(count)}
        </Link>
      ),
  })),
];

/** What needs attention in the country or in the chosen place: by kind, and by partner. */
export function HomeAttentionSection({ place, scope }: { place: string | undefined; scope: ModeScope }) {
  const answer = useScreenQuery(query, scope);
  return (
    <QueryState query={answer} what="work list">
      {({ situation }) =>
        situation ? (
          <AttentionCard place={place} scope={scope} situation={situation}>
            {scope.implementingPartnerId === undefined ? (
              <DataTable
                caption="By partner"
                columns={columnsIn(scope)}
                rowKey={({ implementingPartner }) => implementingPartner?.id ?? "none"}
                rows={situation.worklistByPartner}
              />
            ) : null}
          </AttentionCard>
        ) : null
      }
    </QueryState>
  );
}
