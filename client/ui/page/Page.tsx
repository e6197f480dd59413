import { createContext, useEffect, useRef } from "react";
import type { ReactNode } from "react";
import "./Page.css";

/** Whether a component is within a page. A notice that is not needs a heading of its own. */
export const WithinPage = createContext(false);

let isFirstPage = true;

/** Moves the focus to a new screen's heading, unless the person has begun to type. */
function focusHeading(heading: HTMLElement | null): void {
  const active = document.activeElement;
  if (
    active instanceof HTMLInputElement ||
    active instanceof HTMLTextAreaElement ||
    active instanceof HTMLSelectElement
  )
    return;
  heading?.focus({ preventScroll: true });
}

type PageProps = {
  /** The h1 and the document's title. */
  title: string;
  /** Only if the document's title differs from the heading. */
  documentTitle?: string;
  subtitle?: ReactNode;
  /** A question mark beside the heading. */
  help?: ReactNode;
  actions?: ReactNode;
  /** A head of at most 56 pixels, where the first field has to come early. */
  isLow?: boolean;
  children?: ReactNode;
};

/** One screen: its heading, its actions and its content. */
export function Page({ title, documentTitle = title, subtitle, help, actions, isLow, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = documentTitle;
  }, [documentTitle]);

  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else focusHeading(heading.current);
  }, []);

  const h1 = (
    <h1 className="page-title" ref={heading} tabIndex={-1}>
      {title}
    </h1>
  );
  return (
    <WithinPage value={true}>
      <div className="page stack is-apart">
        <div className={isLow ? "page-head is-low" : "page-head row is-spread"}>
          <div className="page-titles">
            {help ? (
              <div className="row">
                {h1}
                {help}
              </div>
            ) : (
              h1
            )}
            {subtitle ? <div className="page-subtitle soft">{subtitle}</div> : null}
          </div>
          {actions ? <div className="row screen-only">{actions}</div> : null}
        </div>
        {children}
      </div>
    </WithinPage>
  );
}
