import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { sections } from "./formSections.ts";
import type { SectionName } from "./formSections.ts";

const headingIdOf = (name: SectionName) => `section-${name}`;

/** Scrolls to a section and moves the focus to its heading. */
export function goToSection(name: SectionName): void {
  const heading = document.getElementById(headingIdOf(name));
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

type FormSectionProps = {
  name: SectionName;
  /** shown between the heading and the fields */
  note?: ReactNode;
  children: ReactNode;
};

/** One part of the assessment's form under its heading. */
export function FormSection({ name, note, children }: FormSectionProps) {
  const id = headingIdOf(name);
  return (
    <Card aria-labelledby={id} className="stack" role="region">
      <h2 id={id} tabIndex={-1}>
        {sections[name].title}
      </h2>
      {note}
      <div className="grid is-half">{children}</div>
    </Card>
  );
}
