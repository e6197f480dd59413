import type { ReactNode } from "react";

/** A card of a registry page. */
export function RegistrySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="card registry-part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
