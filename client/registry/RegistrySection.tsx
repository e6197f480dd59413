import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";

/** A card of a registry page. */
export function RegistrySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card aria-label={title} className="stack" role="region">
      <h2>{title}</h2>
      {children}
    </Card>
  );
}
