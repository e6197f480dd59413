import { useSyncExternalStore } from "react";

const systemPrefersDark = matchMedia("(prefers-color-scheme: dark)");
const listeners = new Set<() => void>();
const root = document.documentElement;

const paper = matchMedia("print");

let dark = root.classList.contains("bp6-dark");
const isDark = () => dark;

function chosen(): string | null {
  try {
    return localStorage.getItem("theme");
  } catch {
    return null;
  }
}

function apply(isChosen: boolean): void {
  dark = isChosen;
  root.classList.toggle("bp6-dark", dark && !paper.matches);
  for (const listener of listeners) listener();
}

// Paper is white, whatever the theme.
paper.addEventListener("change", () => apply(dark));

systemPrefersDark.addEventListener("change", (event) => {
  if (chosen() === null) apply(event.matches);
});

function choose(isChosen: boolean): void {
  try {
    localStorage.setItem("theme", isChosen ? "dark" : "light");
  } catch {
    // Without storage the choice lasts until the page is left.
  }
  apply(isChosen);
}

/** Whether the dark theme is on, and a function that switches it. The choice is stored on the device. */
export function useTheme(): [isDark: boolean, choose: (dark: boolean) => void] {
  const isOn = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, isDark);
  return [isOn, choose];
}
