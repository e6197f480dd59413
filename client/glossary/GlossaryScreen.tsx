import { Page } from "../ui/page/Page.tsx";
import { terms } from "./terms.ts";

/** All terms of the trade. */
export function GlossaryScreen() {
  return (
    <Page title="Glossary">
      <dl className="glossary stack measure">
        {Object.values(terms).map(({ name, text }) => (
          <div key={name}>
            <dt>
              <strong>{name}</strong>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Page>
  );
}
