import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { compression } from "vite-plugin-compression2";
import { blueprintStyle } from "./client/build/blueprintStyle.ts";
import { documents } from "./client/build/documents.ts";
import { page } from "./client/build/page.ts";
import { serviceWorker } from "./client/build/serviceWorker.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The files into which the application is built, beside one for each screen. A group takes the modules that its test
 * names and all that they import, except what an earlier group has; of several groups the first one counts. Everything
 * that a form needs is one unit: "visit".
 */
export const groups = [
  // What releases seldom change, so that it stays in the browser's cache.
  {
    name: "vendor",
    test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run|urql|@urql|wonka)\//,
  },
  // All that the first script needs: it asks who is signed in, and for the screen, while the rest arrives.
  { name: "ground", test: /\/client\/(screens|shell\/(fetchFirst|session\/earlySession))\.ts$/ },
  // The frame around every screen, and all styles that main.tsx imports: in one file their order is kept, Blueprint's
  // before ours. The icons are here too, because a browser makes only six requests at a time over HTTP/1.1.
  {
    name: "application",
    test: /\/client\/(App|shell\/offline)\.tsx?$|\/(blueprint|base|start|tokens|olderColours|toaster)\.css$|\/@blueprintjs\/icons\/lib\/esm\/generated\/components\//,
  },
  // What screens share that need no form, with the rules that work without the library of rules; and the few styles of
  // the situation, which would be one more request.
  {
    name: "screens",
    test: /\/client\/ui\/(field\/(?!LengthCount|TickField|DateField|CalendarPopover)|form\/(FormAlert|PopoverButton)\.|chart\/(small\/(ShareBar|shares|SpokenDrawing)|dataColours|ChartFrame|lineSeries)\.|(filter|list|network|notice|page|text)\/(?!QrCode|JumpList))|\/(FieldListNote|ExportAssessmentsButton)\.tsx$|\/facilityFields(\.rules)?\.ts$|\/FacilityTextForm\.(tsx|css)$|\/dash\/(PlaceControls|useScopeNames|figuresCsv|periods)\.tsx?$|\/ui\/map\/(boundaries\.ts|mapColours\.css)$|\/(guard|receivedText|asAt|useReadAt|moveAmong|(distance|state)\.rules)\.ts$|\/(text|searchText|listPeriod|credentials|fiscal)\.rules\.ts$|\/(AttentionCard|SituationSection)\.css$/,
  },
  // What most screens but the first list share, without the library of rules.
  {
    name: "filters",
    test: /\/(placeFilter|PlaceFilterSection|NearField|KnownValueField|ViewsButton|TermButton|PrintedNote|DialogForm)\.(tsx?|css)$|\/(facility\/listFilter|calendar\/rangeDays)\.rules\.ts$/,
  },
  {
    name: "overview",
    test: /\/client\/(dash\/(WithOverview|OverviewSection)|situation\/FetchedSituationSection)\.tsx$/,
  },
  {
    name: "question",
    test: /\/client\/query\/(Question(Answer|Export)\w+\.tsx|useQuestionNames\.ts|QuestionsScreen\.css)$/,
  },
  { name: "situation", test: /\/client\/situation\/SituationSection\.tsx$/ },
  {
    name: "visit",
    test: /\/client\/(assessment\/(AssessmentForm\.tsx|AssessmentScreen\.css)|facility\/FacilityDetailsSection\.tsx)$|\/node_modules\/(zod|react-hook-form)\//,
  },
  // The lists of visits and TDBs on the pages of a facility and of a person.
  { name: "records", test: /\/client\/(tdb\/(Facility|User|All)TdbsTab|assessment\/(User|Past)AssessmentsTab)\.tsx$/ },
];

/**
 * GraphiQL's style carries fonts as data, which the Content-Security-Policy refuses: the explorer uses the system's
 * fonts. Blueprint's style has a rule for each of the 700 characters of its icon font, which nothing loads.
 */
const noFonts: Plugin = {
  name: "no-fonts",
  enforce: "pre",
  transform: (code, id) => {
    if (/graphiql\/dist\/style\.css/.test(id)) return code.replace(/@font-face\s*\{[^}]*\}/g, "");
    if (/@blueprintjs\/core\/lib\/css\/blueprint\.css/.test(id))
      return code.replace(/\.bp6-icon-[\w-]+::before\s*\{[^}]*\}/g, "");
    return null;
  },
};

/**
 * Vite's helper for `import()` gives way to one that can be repeated after a failure (client/shell/fetchFirst.ts says
 * why).
 */
const fetchFirst: Plugin = {
  name: "fetch-first",
  apply: "build",
  enforce: "pre",
  load: (id) =>
    id === "\0vite/preload-helper.js" ? `export { fetchFirst as __vitePreload } from "/shell/fetchFirst.ts";` : null,
};

/**
 * Asks Chromium to compile a file while it arrives, beside the page's own work. Otherwise Vega's functions would be
 * compiled one by one while the first chart is drawn, and the page would answer nobody for twice as long.
 */
const compiledAtOnce = "//# allFunctionsCalledOnLoad";

/** The gateway sends these as they are. */
const compressed = compression({ include: /\.(js|css|html|svg)$/, logLevel: "silent" });

/** Builds the client. The gateway is bundled by gateway/build/build.mjs with a configuration of its own. */
export default defineConfig({
  root: at("client"),
  cacheDir: at("node_modules/.vite"),
  plugins: [noFonts, documents, react(), fetchFirst, page, serviceWorker, compressed],
  css: { postcss: { plugins: [blueprintStyle] } },
  resolve: {
    alias: [
      { find: /^zod$/, replacement: at("client/shell/shim/zodWithoutEval.ts") },
      { find: /^\.\/iconLoader$/, replacement: at("client/shell/shim/noIconLoader.ts") },
    ],
  },
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
      output: { codeSplitting: { groups }, postBanner: ({ name }) => (name === "Chart" ? compiledAtOnce : "") },
    },
  },
});
