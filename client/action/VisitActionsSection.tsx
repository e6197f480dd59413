import { Card } from "@blueprintjs/core";
import { graphql } from "../gql/gql.ts";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { routes } from "../routes.ts";
import { ScopeLink } from "../ui/scope/ScopeLink.tsx";
import { ActionCard } from "./ActionCard.tsx";
import "./FacilityActionsSection.css";

const fragment = graphql(`
  fragment VisitActionsSection_Assessment on Assessment {
    id
    facilityUuid
    actions { id ...ActionCard_Action }
  }
`);

/** What was agreed at a stored visit, as it stands now. The facility's page closes it. */
export function VisitActionsSection({ assessment }: { assessment: FragmentType<typeof fragment> }) {
  const { facilityUuid, actions } = readFragment(fragment, assessment);
  if (actions.length === 0) return null;
  return (
    <Card aria-labelledby="visit-actions" className="stack" role="region">
      <h2 id="visit-actions">Actions agreed</h2>
      <ul className="plain stack">
        {actions.map((action) => (
          <ActionCard action={action} key={action.id} />
        ))}
      </ul>
      <p>
        <ScopeLink to={routes.facility(facilityUuid)}>All actions of the facility</ScopeLink>
      </p>
    </Card>
  );
}
