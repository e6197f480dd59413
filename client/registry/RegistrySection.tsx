import { Card } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { useAddress } from "../ui/filter/listAddress.ts";

type RegistrySectionProps = {
  title: string;
  /** Its name in the address, where it is folded until somebody opens it. */
  fold?: string | undefined;
  /** What it holds, beside the title while it is folded. */
  brief?: string;
  children: ReactNode;
};

/** The search parameter with the names of the open sections. */
const openParam = "open";

/** A card of a registry page. */
export function RegistrySection({ title, fold, brief, children }: RegistrySectionProps) {
  const [url] = useSearchParams();
  const change = useAddress();
  const open = url.get(openParam)?.split(",") ?? [];
  const isOpen = fold === undefined || open.includes(fold);
  return (
    <Card aria-label={title} className="stack" role="region">
      {fold === undefined ? (
        <>
          <h2>{title}</h2>
          {children}
        </>
      ) : (
        <details className="registry-fold" open={isOpen}>
          <summary
            onClick={(event) => {
              event.preventDefault();
              change({ [openParam]: (isOpen ? open.filter((one) => one !== fold) : [...open, fold]).join(",") });
            }}
          >
            <h2>{title}</h2>
            {isOpen ? null : <span className="note">{brief}</span>}
          </summary>
          {children}
        </details>
      )}
    </Card>
  );
}
