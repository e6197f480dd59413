import { useId, useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import "./UrlTabs.css";

/** One tab. Its panel is rendered, and its query sent, only while it is shown. */
export type UrlTab = { id: string; title: string; panel: () => ReactNode };

type UrlTabsProps = {
  tabs: UrlTab[];
  /** The accessible name of the group of tabs. */
  label: string;
  /** The search parameter that holds the selected tab. */
  name?: string;
  /** Search parameters that belong to one panel and are removed when another one is opened. */
  clears?: string[];
};

const steps: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Tabs whose selection is in the URL, so that a link opens the same tab. */
export function UrlTabs({ tabs, label, name = "tab", clears = [] }: UrlTabsProps) {
  const [params, setParams] = useSearchParams();
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const selected = tabs.find((tab) => tab.id === params.get(name)) ?? tabs[0];

  const select = (id: string) =>
    setParams(
      (now) => {
        for (const other of clears) now.delete(other);
        if (id === tabs[0]?.id) now.delete(name);
        else now.set(name, id);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const next = step && tabs[step(tabs.findIndex((tab) => tab === selected), tabs.length)];
    if (!next) return;
    event.preventDefault();
    select(next.id);
    list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next.id)}"]`)?.focus();
  };

  if (!selected) return null;
  return (
    <div className="url-tabs">
      <div className="url-tabs-list" ref={list} role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            className="url-tabs-tab"
            role="tab"
            id={`${base}-tab-${tab.id}`}
            data-tab={tab.id}
            aria-selected={tab === selected}
            aria-controls={tab === selected ? `${base}-panel` : undefined}
            tabIndex={tab === selected ? 0 : -1}
            onClick={() => tab !== selected && select(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div className="url-tabs-panel" key={selected.id} role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-tab-${selected.id}`}>
        {selected.panel()}
      </div>
    </div>
  );
}
