import type { HtmlTagDescriptor, Plugin } from "vite";
import { demonstrationText } from "../shell/session/demonstration.ts";
import { filesOf } from "./serviceWorker.ts";

const place = /\s*<!-- demonstration -->/;
const note = `\n<aside class="demonstration-note" aria-label="Demonstration">${demonstrationText}</aside>`;

/**
 * Makes index.html complete, so that nothing in it waits for a script: links to the files of main.tsx, which the first
 * script imports (client/start.ts), styles first; and a second page, demonstration.html, with the demonstration's note.
 * The gateway sends one page or the other.
 */
export const page: Plugin = {
  name: "page",
  apply: "build",
  enforce: "post",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith("/client/index.html")) return [];
      const main = Object.values(bundle).find(
        (file) => file.type === "chunk" && file.facadeModuleId?.endsWith("/client/main.tsx"),
      );
      const files = [...filesOf(bundle, main!.fileName, () => false)].filter((file) => !html.includes(file));
      const link = (href: string, attrs: Record<string, string>): HtmlTagDescriptor => ({
        tag: "link",
        attrs: { ...attrs, crossorigin: true, href: `/${href}` },
        injectTo: "head",
      });
      const [styles, scripts] = [true, false].map((isStyle) =>
        files.filter((file) => file.endsWith(".css") === isStyle),
      );
      return [
        ...styles!.map((file) => link(file, { rel: "stylesheet" })),
        ...scripts!.map((file) => link(file, { rel: "modulepreload", fetchpriority: "low" })),
      ];
    },
  },
  generateBundle(_, bundle) {
    const file = bundle["index.html"];
    const html = file?.type === "asset" ? String(file.source) : "";
    if (file?.type !== "asset" || !place.test(html))
      throw new Error("The page has no place for the demonstration's note.");
    this.emitFile({ type: "asset", fileName: "demonstration.html", source: html.replace(place, note) });
    file.source = html.replace(place, "");
  },
};
