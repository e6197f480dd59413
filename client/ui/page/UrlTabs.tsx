import { HTMLSelect, Tab, Tabs } from "@blueprintjs/core";
import { useEffect, useId, useRef } from "react";
import type { FocusEvent, KeyboardEvent, ReactNode } from "react";
import { useSearchParams } from "react-router-dom";
import { useAddress } from "../filter/listAddress.ts";
import { useIsWide } from "../form/useIsWide.ts";
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
  /** In a window narrower than so many pixels there is a choice with this label in place of the tabs. */
  choice?: { label: string; below: number };
};

const tabOf = ({ target }: { target: EventTarget }) => (target as HTMLElement).closest<HTMLElement>("[role=tab]");

/** A tab that gets the focus is selected, as WAI-ARIA recommends; Blueprint's arrow keys only move the focus. */
const selectFocused = (event: FocusEvent) => tabOf(event)?.click();

/** Blueprint has no keys for the first and the last tab. */
function jump(event: KeyboardEvent): void {
  const tabs = tabOf(event)?.parentElement?.querySelectorAll<HTMLElement>("[role=tab]");
  const next = event.key === "Home" ? tabs?.[0] : event.key === "End" ? tabs?.[tabs.length - 1] : undefined;
  if (!next) return;
  event.preventDefault();
  next.focus();
}

/** Tabs whose selection is in the URL, so that a link opens the same tab. */
export function UrlTabs({ tabs, label, name = "tab", clears = [], choice }: UrlTabsProps) {
  const [params] = useSearchParams();
  const change = useAddress();
  const base = useId();
  const place = useRef<HTMLDivElement>(null);
  const isWide = useIsWide(choice?.below ?? 0);
  const selected = tabs.find((tab) => tab.id === params.get(name)) ?? tabs[0];

  const select = (id: string) =>
    change({ ...Object.fromEntries(clears.map((other) => [other, ""])), [name]: id === tabs[0]?.id ? "" : id });

  // Blueprint's list of tabs takes no name.
  useEffect(() => {
    place.current?.querySelector("[role=tablist]")?.setAttribute("aria-label", label);
  }, [label, isWide]);

  if (!selected) return null;
  if (choice && !isWide)
    return (
      <div className="tab-choice-place">
        <div className="tab-choice row is-close screen-only">
          <label htmlFor={base}>{choice.label}</label>
          <HTMLSelect
            id={base}
            onChange={({ currentTarget }) => select(currentTarget.value)}
            options={tabs.map(({ id, title }) => ({ value: id, label: title }))}
            value={selected.id}
          />
        </div>
        <div className="tab-choice-panel" key={selected.id}>
          {selected.panel()}
        </div>
      </div>
    );
  return (
    <div className="url-tabs-place" onFocus={selectFocused} onKeyDown={jump} ref={place} role="presentation">
      <Tabs
        animate={false}
        className="url-tabs"
        id={base}
        onChange={(id) => id !== selected.id && select(String(id))}
        renderActiveTabPanelOnly
        selectedTabId={selected.id}
      >
        {/* The arrow keys pass over a tab that does not say that it is enabled. */}
        {tabs.map(({ id, title, panel }) => (
          <Tab
            disabled={false}
            id={id}
            key={id}
            panel={id === selected.id ? <>{panel()}</> : undefined}
            title={title}
          />
        ))}
      </Tabs>
    </div>
  );
}
