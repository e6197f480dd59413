import type { Plugin } from "vite";
import { demonstrationText } from "../shell/session/demonstration.ts";
import { filesOf } from "./serviceWorker.ts";

const ofMain = /\/client\/main\.tsx$/;
const place = /\s*<!-- demonstration -->/;
const note = `\n<aside class="demonstration-note" aria-label="Demonstration">${demonstrationText}</aside>`;

/**
 * Links the files of main.tsx, which the first script imports (client/start.ts), in index.html, styles first, so that
 * they wait for no script. The gateway sends demonstration.html instead where its note is due.
 */
export const page: Plugin = {
  name: "page",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const file = bundle["index.html"];
    const main = Object.values(bundle).find((each) => each.type === "chunk" && ofMain.test(each.facadeModuleId ?? ""));
    if (file?.type !== "asset" || !main) throw new Error("The build has no index.html or no main.tsx.");
    const html = String(file.source);
    if (!place.test(html)) throw new Error("The page has no place for the demonstration's note.");
    const files = [...filesOf(bundle, main.fileName, () => false)].filter((each) => !html.includes(each));
    const [styles, scripts] = [true, false].map((isStyle) => files.filter((each) => each.endsWith(".css") === isStyle));
    const links = [
      ...styles!.map((each) => `<link rel="stylesheet" crossorigin href="/${each}">`),
      ...scripts!.map((each) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${each}">`),
    ];
    const linked = html.replace("</head>", () => `${links.join("\n")}\n</head>`);
    this.emitFile({ type: "asset", fileName: "demonstration.html", source: linked.replace(place, note) });
    file.source = linked.replace(place, "");
  },
};
