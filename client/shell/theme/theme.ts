import { useSyncExternalStore } from "react";

const systemPrefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
const root = document.documentElement;

const isDark = () => root.classList.contains("bp6-dark");

function chosen(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function apply(dark: boolean): void {
  root.classList.toggle("bp6-dark", dark);
  for (const listener of listeners) listener();
}

systemPrefersDark.addEventListener("change", (event) => {
  if (chosen() === null) apply(event.matches);
});

function choose(dark: boolean): void {
  try {
    localStorage.setItem("theme", dark ? "dark" : "light");
  } catch {
    // The choice then lasts until the page is left.
  }
  apply(dark);
}

/** Whether the dark theme is on, and how to switch; the choice is kept on the device. */
export function useTheme(): [isDark: boolean, choose: (dark: boolean) => void] {
  const dark = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isDark);
  return [dark, choose];
}
