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
    // Without storage the choice lasts until the page is left.
  }
  apply(dark);
}

/** Whether the dark theme is on, and a function that switches it. The choice is stored on the device. */
export function useTheme(): [isDark: boolean, choose: (dark: boolean) => void] {
  const dark = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isDark);
  return [dark, choose];
}
