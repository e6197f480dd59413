import { Callout, Intent } from "@blueprintjs/core";
import { type FragmentType, readFragment } from "../gql/fragment-masking.ts";
import { notCountedText } from "../ui/text/notCountedText.ts";
import { fragment, VisitStandingControls } from "./VisitStandingControls.tsx";

/** Says why no figure counts a visit, with what administrators do about it. Nothing for a visit that is counted. */
export function NotCountedNotice({ assessment }: { assessment: FragmentType<typeof fragment> }) {
  const { setAside, held } = readFragment(fragment, assessment);
  const why = notCountedText(setAside?.reason, held);
  if (!why) return null;
  return (
    <Callout className="row is-spread" icon={null} intent={Intent.WARNING}>
      <p>{why}. Figures leave this visit out.</p>
      <VisitStandingControls assessment={assessment} />
    </Callout>
  );
}
