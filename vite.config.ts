import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { chunks } from "./client/build/chunks.ts";
import { applicationFiles } from "./client/build/applicationFiles.ts";
import { compressedFiles } from "./client/build/compressed.ts";
import { demonstrationPage } from "./client/build/demonstrationPage.ts";
import { fetchFirst } from "./client/build/fetchFirst.ts";
import { mainFiles } from "./client/build/mainFiles.ts";
import { queryTexts } from "./client/build/queryTexts.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The build's documents are texts (client/build/queryTexts.ts), which urql need not parse. In development they are trees. */
const documentsAsTexts: Plugin = {
  name: "documents-as-texts",
  apply: "build",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "@0no-co/graphql.web" && importer?.includes("@urql/core") ? at("client/shell/shim/documentsAsTexts.ts") : null,
};

/** GraphiQL's style carries fonts as data, which the Content-Security-Policy refuses: the explorer uses the system's fonts. */
const noEmbeddedFonts: Plugin = {
  name: "no-embedded-fonts",
  enforce: "pre",
  transform: (code, id) => (/graphiql\/dist\/style\.css/.test(id) ? code.replace(/@font-face\s*\{[^}]*\}/g, "") : null),
};

/** Builds the client. The gateway is bundled by gateway/build/build.mjs with a configuration of its own. */
export default defineConfig({
  root: at("client"),
  cacheDir: at("node_modules/.vite"),
  plugins: [documentsAsTexts, noEmbeddedFonts, queryTexts, react(), fetchFirst, mainFiles, demonstrationPage, compressedFiles, applicationFiles],
  resolve: { alias: [{ find: /^zod$/, replacement: at("client/shell/shim/zodWithoutEval.ts") }] },
  build: {
    outDir: at("dist/client"),
    emptyOutDir: true,
    manifest: true,
    // The oldest browsers that work (client/public/before.js sends older ones to a page that says so).
    target: ["chrome106", "firefox115", "safari15.4"],
    sourcemap: false,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: at("client/index.html"), explorer: at("client/explorer.html") },
      output: { codeSplitting: { groups: chunks } },
    },
  },
});
