import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { usedBlueprintStyle } from "./client/build/blueprintStyle.ts";
import { plainClassNames } from "./client/build/classNames.ts";
import { applicationFiles } from "./client/build/applicationFiles.ts";
import { compressedFiles } from "./client/build/compressed.ts";
import { demonstrationPage } from "./client/build/demonstrationPage.ts";
import { fetchFirst } from "./client/build/fetchFirst.ts";
import { oneIconGrid } from "./client/build/iconGrid.ts";
import { mainFiles } from "./client/build/mainFiles.ts";
import { queryTexts } from "./client/build/queryTexts.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const gateway = "http://127.0.0.1:4000";

/** Blueprint can fetch icons by name, for which it carries all names and paths. We use icon components only. */
const noIconsByName: Plugin = {
  name: "no-icons-by-name",
  enforce: "pre",
  resolveId: (source, importer) =>
    source === "./iconLoader" && importer?.includes("@blueprintjs/icons") ? at("client/shell/noIconsByName.ts") : null,
};

/** GraphiQL's style carries fonts as data, which the Content-Security-Policy refuses: the explorer uses the system's fonts. */
const noEmbeddedFonts: Plugin = {
  name: "no-embedded-fonts",
  enforce: "pre",
  transform: (code, id) => (/graphiql\/dist\/style\.css/.test(id) ? code.replace(/@font-face\s*\{[^}]*\}/g, "") : null),
};

/**
 * What nearly all of is run as soon as it is there: V8 is asked to compile all its functions while it loads, in the background,
 * instead of each at its first call, on the thread that draws (https://v8.dev/blog/explicit-compile-hints). Others ignore it.
 */
const calledOnLoad = /^(vendor|start|main|frame|overview|facility|assessment|forms|inputs|fields|answers|details|\w+Screen)$/;

/**
 * The client is written for React, and served with Preact, which speaks React's interface in a fifth of its bytes: the budget of a
 * cold visit (test/shell/wire.ts) is less than twice what React itself weighs (docs/decisions/client.md).
 */
const reactByPreact = [
  { find: /^react$/, replacement: "preact/compat" },
  { find: /^react-dom$/, replacement: "preact/compat" },
  { find: /^react-dom\/client$/, replacement: "preact/compat/client" },
  { find: /^react\/jsx-runtime$/, replacement: "preact/jsx-runtime" },
];

/** Builds the client. The gateway is bundled by gateway/build/build.mjs with a configuration of its own. */
export default defineConfig({
  root: at("client"),
  cacheDir: at("node_modules/.vite"),
  plugins: [noIconsByName, oneIconGrid, noEmbeddedFonts, plainClassNames, usedBlueprintStyle, queryTexts, react(), fetchFirst, mainFiles, demonstrationPage, compressedFiles, applicationFiles],
  resolve: { alias: [...reactByPreact, { find: /^zod$/, replacement: at("client/shell/zodWithoutEval.ts") }] },
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
        postBanner: ({ name }) => (calledOnLoad.test(name) ? "//# allFunctionsCalledOnLoad" : ""),
        codeSplitting: {
          // Few files: each costs a way there and back, and a browser goes six ways at a time.
          groups: [
            // What every screen needs and a release seldom changes, so that browsers keep it.
            { name: "vendor", test: /node_modules\/(preact|@remix-run|react-router|react-router-dom|urql|@urql|@0no-co|wonka)\// },
            // What the first script and the explorer both stand on: the explorer must not run the first script.
            {
              name: "ground",
              test: /vite\/preload-helper|rolldown[/-]runtime|\/client\/(documents|shell\/(theme|signedOut|clock|fetchFirst)|store\/database|ui\/(idle|savingData|heardFetch))\.ts$|\/client\/shell\/tokens\.css$|\/gateway\/(calendar\/fiscal|input\/text)\.rules\.ts$|node_modules\/idb\//,
            },
            { name: "start", test: /\/client\/(start|screens|routes|shell\/earlySession)\.ts$/ },
            { name: "older", test: /\/client\/shell\/olderArrays\.ts$/ },
            // The frame around every screen, what nearly every list needs, and what its parts stand on: Blueprint's style before ours.
            {
              name: "frame",
              test: /\/client\/(urql|keptAnswers|gql\/fragment-masking|shell\/(?!Toasts|MenuDrawer|zodWithoutEval|earlySession|signedOut|clock)\w+|ui\/(DataTable|Fetched|FetchedDialog|fetchedPart|Pager|QueryState|UrlTabs|pages|dates|numbers|ruleParts)|reference\/(LinkList|PagedList|counted)|store\/(?!database)\w+|ui\/saveAsFile|facility\/fieldNote|assessment\/(keptWork|formerWork|unreadableWork|SealedWorkNotice|OutboxNotice)|tdb\/(UploadsNotice|upload\/(uploadState|progressText)))\.(tsx?|css)$|\/gateway\/facility\/(mode|searchText|listPeriod)\.rules\.ts$|@blueprintjs\/(core\/lib\/esm\/(common|context)|icons\/lib\/esm\/generated\/components\/(add|cross|edit|warning-sign)\.js$)|\/core\/lib\/css\/blueprint\.css$/,
            },
            { name: "later", test: /blueprint\.css\?later$/ },
            { name: "inputs", test: /@blueprintjs\/core\/lib\/esm\/components\/(html-select|forms\/(formGroup|inputGroup))\b/ },
            { name: "fields", test: /\/client\/ui\/\w*Field\.(tsx|css)$|\/client\/auth\/PasswordHint\.tsx$/ },
            { name: "overview", test: /\/client\/(reference\/WithOverview|dash\/(OverviewSection|overviewParams|rows))\.(tsx?|css)$/ },
            // What a facility's page and a visit to it both show.
            {
              name: "details",
              test: /\/client\/(assessment\/receivedText|facility\/(FacilityDetailsSection|FieldListNote)|ui\/(FactList|instants))\.(tsx?|css)$/,
            },
            {
              name: "facility",
              test: /\/client\/(assessment\/(ExportAssessmentsButton|PastAssessmentsTab|WaitingNotice)|facility\/UnreachableFacilityNotice|tdb\/(TdbsTable|fileSize))\.(tsx?|css)$/,
            },
            { name: "assessment", test: /\/client\/assessment\/(formValues|saveAssessment)\.ts$/ },
            { name: "overlays", test: /@blueprintjs\/core\/lib\/esm\/components\/(overlay2|portal|dialog)\// },
            { name: "forms", test: /node_modules\/react-hook-form\/|\/client\/ui\/fetchedRules\.ts$/ },
            // What forms check by, fetched when somebody fills one in.
            { name: "zod", test: /node_modules\/zod\/|\/client\/(shell\/zodWithoutEval|ui\/ruleMaker)\.ts$/ },
            { name: "rules", test: /\/gateway\/(input\/page|calendar\/period|facility\/facility)\.rules\.ts$|node_modules\/@hookform\/|\/client\/assessment\/formRules\.ts$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/graphql": gateway, "/api": gateway } },
});
