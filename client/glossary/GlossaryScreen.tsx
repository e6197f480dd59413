import { useSearchParams } from "react-router-dom";
import { Page } from "../ui/page/Page.tsx";
import { terms } from "../ui/term/terms.ts";

/** All terms of the trade. The one in the address is the first, and marked. */
export function GlossaryScreen() {
  const [url] = useSearchParams();
  const isAsked = (term: string) => term === url.get("term");
  const listed = Object.entries(terms).toSorted(([one], [other]) => Number(isAsked(other)) - Number(isAsked(one)));
  return (
    <Page title="Glossary">
      <dl className="glossary stack measure">
        {listed.map(([term, { name, text }]) => (
          <div key={term}>
            <dt>
              <strong>{isAsked(term) ? <mark>{name}</mark> : name}</strong>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
