import type { Plugin } from "vite";
import { demonstrationText } from "../shell/session/demonstration.ts";

const place = /\s*<!-- demonstration -->/;
const note = `\n<aside class="demonstration-note" aria-label="Demonstration">${demonstrationText}</aside>`;

/**
 * Writes `demonstration.html` beside `index.html`: the same page with the demonstration's note. So the note is visible with the first
 * paint, and nothing moves when the screen is drawn. The gateway sends one page or the other.
 */
export const demonstrationPage: Plugin = {
  name: "demonstration-page",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const page = bundle["index.html"];
    if (page?.type !== "asset" || !place.test(String(page.source))) throw new Error("The page has no place for the demonstration's note.");
    const html = String(page.source);
    this.emitFile({ type: "asset", fileName: "demonstration.html", source: html.replace(place, note) });
    page.source = html.replace(place, "");
  },
};
