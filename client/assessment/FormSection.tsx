import { useId } from "react";
import type { ReactNode } from "react";

/** One part of the assessment's form under its heading. */
export function FormSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="card form-section">
      <h2 id={id}>{title}</h2>
      <div className="form-grid">{children}</div>
    </section>
  );
}
