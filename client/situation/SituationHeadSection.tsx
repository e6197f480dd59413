import type { ModeScope } from "../routes.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";

const situation = fetchedPart(() => import("./SituationSection.tsx"));

/** The situation at the head of another page. Its code is fetched separately from the page's own. */
export function SituationHeadSection({ scope }: { scope: ModeScope }) {
  return <Fetched part={situation}>{({ SituationSection }) => <SituationSection isHead scope={scope} />}</Fetched>;
}
