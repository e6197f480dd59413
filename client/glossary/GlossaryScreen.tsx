import { useSearchParams } from "react-router-dom";
import { Page } from "../ui/page/Page.tsx";
import { terms } from "../ui/term/terms.ts";

const show = (element: HTMLElement | null) => element?.scrollIntoView({ block: "center" });

/** All terms of the trade. The one in the address is marked and in view. */
export function GlossaryScreen() {
  const [url] = useSearchParams();
  const asked = url.get("term");
  return (
    <Page title="Glossary">
      <dl className="glossary stack measure">
        {Object.entries(terms).map(([term, { name, text }]) => (
          <div key={term === asked ? `${term} asked` : term} ref={term === asked ? show : null}>
            <dt>
              <strong>{term === asked ? <mark>{name}</mark> : name}</strong>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
