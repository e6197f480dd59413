import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { usedBlueprintStyle } from "./client/build/blueprintStyle.ts";
import { plainClassNames } from "./client/build/classNames.ts";
import { calledOnLoad, chunkGroups } from "./client/build/chunks.ts";
import { applicationFiles } from "./client/build/applicationFiles.ts";
import { compressedFiles } from "./client/build/compressed.ts";
import { demonstrationPage } from "./client/build/demonstrationPage.ts";
import { fetchFirst } from "./client/build/fetchFirst.ts";
import { oneIconGrid } from "./client/build/iconGrid.ts";
import { mainFiles } from "./client/build/mainFiles.ts";
import { queryTexts } from "./client/build/queryTexts.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Blueprint can fetch icons by name, for which it carries all names and paths. We use icon components only. */
const noIconsByName: Plugin = {
  name: "no-icons-by-name",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "./iconLoader" && importer?.includes("@blueprintjs/icons") ? at("client/shell/shim/noIconsByName.ts") : null,
};

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

/**
 * The client is written for React, and served with Preact, which speaks React's interface in a fifth of its bytes: the budget of a
 * cold visit (test/shell/wire.ts) is less than twice what React itself weighs (docs/decisions/client.md).
 */
const reactByPreact = [
  { find: /^react$/, replacement: "preact/compat" },
  { find: /^react-dom$/, replacement: "preact/compat" },
  { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
  { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
  // Of the development server.
  { find: /^react\/jsx-dev-runtime$/, replacement: "preact/jsx-dev-runtime" },
];

/** Builds the client. The gateway is bundled by gateway/build/build.mjs with a configuration of its own. */
export default defineConfig({
  root: at("client"),
  cacheDir: at("node_modules/.vite"),
  plugins: [noIconsByName, documentsAsTexts, oneIconGrid, noEmbeddedFonts, plainClassNames, usedBlueprintStyle, queryTexts, react(), fetchFirst, mainFiles, demonstrationPage, compressedFiles, applicationFiles],
  resolve: { alias: [...reactByPreact, { find: /^zod$/, replacement: at("client/shell/shim/zodWithoutEval.ts") }] },
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
      output: {
        postBanner: ({ name }) => calledOnLoad(name),
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
});
