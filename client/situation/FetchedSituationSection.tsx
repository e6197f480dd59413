import type { ModeScope } from "../routes.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";

const situation = fetchedPart(() => import("./SituationSection.tsx"));

/** The situation on another page. Its code is fetched separately from the page's own. */
export function FetchedSituationSection({ scope, hasUnits }: { scope: ModeScope; hasUnits: boolean }) {
  return (
    <Fetched part={situation}>
      {({ SituationSection }) => <SituationSection hasUnits={hasUnits} scope={scope} />}
    </Fetched>
  );
}

/** The units of a scope in the narrow column of another page. */
export function FetchedUnitsSection({ scope }: { scope: ModeScope }) {
  return <Fetched part={situation}>{({ UnitsSection }) => <UnitsSection scope={scope} />}</Fetched>;
}
