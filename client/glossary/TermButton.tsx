import { PopoverButton } from "../ui/form/PopoverButton.tsx";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import type { Term } from "../ui/term/terms.ts";
import "./TermButton.css";

const section = fetchedPart(() => import("./TermSection.tsx"));

/** The question mark beside a term of the trade: opens what it means. `name` as it is written beside it. */
export function TermButton({ term, name }: { term: Term; name: string }) {
  return (
    <PopoverButton
      aria-label={`What does “${name}” mean?`}
      className="term-button"
      side="start"
      text="?"
      variant="minimal"
    >
      {(close) => <Fetched part={section}>{({ TermSection }) => <TermSection onLeave={close} term={term} />}</Fetched>}
    </PopoverButton>
  );
}
