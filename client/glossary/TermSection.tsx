import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { type Term, terms } from "../ui/term/terms.ts";

/** What a term means, and the way to all terms. */
export function TermSection({ term, onLeave }: { term: Term; onLeave: () => void }) {
  const { name, text } = terms[term];
  return (
    <div className="term-text stack is-close">
      <strong>{name}</strong>
      <p>{text}</p>
      <Link onClick={onLeave} to={routes.glossary()}>
        All terms
      </Link>
    </div>
  );
}
