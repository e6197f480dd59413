/**
 * The files into which the application is built. They are few, because a browser makes only six requests at a time over HTTP/1.1. A module
 * belongs to the first chunk that names it. Modules that no chunk names are placed by Vite: with the screen that imports them.
 */
export type Chunk = {
  name: string;
  /** our files, from the project's root. A name without its ending means the component and its style sheet */
  files?: readonly string[];
  /** packages, or folders and files of a package */
  packages?: readonly string[];
  /** modules that are neither, by the end of their ids */
  modules?: readonly string[];
  /** nearly all of it runs when it is loaded (calledOnLoad) */
  runsOnLoad?: boolean;
};

const blueprint = "@blueprintjs/core/lib/esm/components";
const icons = "@blueprintjs/icons/lib/esm/generated/components";

export const chunks: readonly Chunk[] = [
  {
    // What every screen needs and releases seldom change, so that it stays in the browser's cache.
    name: "vendor",
    files: ["client/shell/shim/documentsAsTexts"],
    packages: ["react", "react-dom", "scheduler", "@remix-run", "react-router", "react-router-dom", "urql", "@urql", "@0no-co", "wonka"],
    runsOnLoad: true,
  },
  {
    // What the first script and the explorer share, so that the explorer need not load the first script.
    name: "ground",
    files: [
      "client/documents",
      "client/shell/theme/theme",
      "client/shell/theme/tokens",
      "client/shell/session/signedOut",
      "client/shell/clock/clock",
      "client/shell/fetchFirst",
      "client/store/database",
      "client/ui/network/idle",
      "client/ui/network/savingData",
      "client/ui/network/heardFetch",
      "client/ui/text/dates",
      "client/ui/text/instants",
      "gateway/calendar/fiscal.rules",
      "gateway/input/text.rules",
    ],
    packages: ["idb"],
    modules: ["vite/preload-helper.js", "rolldown/runtime.js"],
  },
  // What charts of overviews and of queries share.
  { name: "charts", files: ["client/ui/chart/barChart"], modules: ["/client/ui/chart/ChartFrame.css"] },
  // What maps of the situation and of queries share.
  { name: "maps", files: ["client/ui/map/boundaries", "client/ui/map/Hatch", "client/ui/map/mapColours"] },
  {
    // The first script: it asks who is signed in while the application is loading.
    name: "start",
    files: ["client/start.ts", "client/screens", "client/routes", "client/shell/session/earlySession"],
    runsOnLoad: true,
  },
  {
    // What the oldest browsers lack.
    name: "older",
    files: ["client/shell/shim/olderArrays"],
  },
  {
    // The frame around every screen and what nearly every list needs. Blueprint's style comes before ours.
    name: "frame",
    files: [
      "client/App.css",
      "client/start.css",
      "client/system/HomeScreen.css",
      "client/urql",
      "client/keptAnswers",
      "client/gql/fragment-masking",
      "client/shell/BrokenScreen",
      "client/shell/ErrorBoundary",
      "client/shell/offline",
      "client/shell/clock/ClockNote",
      "client/shell/clock/span",
      "client/shell/frame/Brand",
      "client/shell/frame/Footer",
      "client/shell/frame/Frame",
      "client/shell/frame/Mark",
      "client/shell/menu/Menu",
      "client/shell/frame/Person",
      "client/shell/frame/Rail",
      "client/shell/frame/SavingDataButton",
      "client/shell/frame/TopBar",
      "client/shell/frame/useIsWide",
      "client/shell/session/DemonstrationNote",
      "client/shell/session/demonstration",
      "client/shell/session/guard",
      "client/shell/session/session",
      "client/shell/session/viewer",
      "client/shell/palette/PaletteButton",
      "client/shell/theme/ThemeButton",
      "client/shell/theme/base",
      "client/shell/toast/Toasts",
      "client/shell/toast/toastRoom",
      "client/shell/toast/toaster",
      "client/store/copies",
      "client/store/room",
      "client/store/sealing",
      "client/store/store",
      "client/store/windows",
      "client/ui/list/DataTable",
      "client/ui/filter/ExportButton",
      "client/ui/filter/listAddress",
      "client/ui/filter/SortSelect",
      "client/ui/list/LinkList",
      "client/ui/list/idInPath",
      "client/ui/list/PagedList",
      "client/ui/list/Pager",
      "client/ui/list/pageOffset",
      "client/ui/list/pages",
      "client/ui/list/RowsForPaper",
      "client/ui/network/Fetched",
      "client/ui/network/FetchedDialog",
      "client/ui/network/fetchedPart",
      "client/ui/network/saveAsFile",
      "client/ui/notice/QueryState",
      "client/ui/page/UrlTabs",
      "client/ui/text/counted",
      "client/ui/text/fileSize",
      "client/assessment/formValues",
      "client/assessment/saveAssessment",
      "client/assessment/keptWork",
      "client/assessment/formerWork",
      "client/assessment/unreadableWork",
      "client/assessment/SealedWorkNotice",
      "client/assessment/OutboxNotice",
      "client/assessment/receivedText",
      "client/shell/clock/asAt",
      "client/facility/FieldListNote",
      "client/facility/fieldNote",
      "client/tdb/UploadsNotice",
      "client/tdb/upload/uploadState",
      "client/tdb/upload/progressText",
      "gateway/facility/mode.rules",
      "gateway/facility/searchText.rules",
      "gateway/facility/listPeriod.rules",
    ],
    packages: [
      "@blueprintjs/core/lib/esm/common",
      "@blueprintjs/core/lib/esm/context",
      ...["add", "cross", "edit", "offline", "tick-circle", "warning-sign"].map((icon) => `${icons}/${icon}`),
    ],
    modules: ["core/lib/css/blueprint.css"],
    runsOnLoad: true,
  },
  {
    // The fields of forms and filters.
    name: "fields",
    files: [
      "client/ui/filter/urlText",
      ...["AnswerField", "CheckField", "Field", "SelectField", "TextAreaField", "TextField"].map((field) => `client/ui/field/${field}`),
      "client/auth/PasswordHint",
      "gateway/auth/credentials.rules",
    ],
    packages: [`${blueprint}/html-select`, `${blueprint}/forms/formGroup`, `${blueprint}/forms/inputGroup`],
    runsOnLoad: true,
  },
  {
    name: "overview",
    files: ["OverviewSection", "OverviewWayButton", "PlaceControls", "WithOverview", "overviewParams", "rows"].map((file) => `client/dash/${file}`),
    runsOnLoad: true,
  },
  {
    // A facility's page, and what a form of a visit shows of it. Filters of lists use the same catalogue of fields.
    name: "facility",
    files: [
      "client/facility/FacilityStateSection",
      "client/facility/FacilityDetailsSection",
      "client/facility/UnreachableFacilityNotice",
      "client/facility/visitReadiness",
      "client/facility/VisitReadinessNote",
      "client/assessment/PastAssessmentsTab",
      "client/assessment/WaitingNotice",
      "client/ui/page/FactList",
      "db/facilityFields.rules",
    ],
    runsOnLoad: true,
  },
  {
    // The controls above lists: filters, orders and exports.
    name: "lists",
    files: [
      ...["Chips", "ListBar", "listSort", "listTexts"].map((file) => `client/ui/filter/${file}`),
      "client/view/ViewsButton",
      "gateway/facility/listFilter.rules",
      "gateway/input/listParameters.rules",
    ],
    runsOnLoad: true,
  },
  // Printing and exporting lists.
  { name: "paper", files: ["client/assessment/ExportAssessmentsButton", "client/shell/print/PrintedNote", "client/ui/page/useIsPrinting"] },
  {
    // The forms of a visit.
    name: "visit",
    files: ["client/assessment/AssessmentForm", "client/assessment/formRules", "gateway/assessment/assessment.rules"],
    modules: ["/client/assessment/AssessmentScreen.css"],
    runsOnLoad: true,
  },
  { name: "overlays", packages: [`${blueprint}/overlay2`, `${blueprint}/portal`, `${blueprint}/dialog`] },
  { name: "forms", packages: ["react-hook-form", "@hookform"], runsOnLoad: true },
  {
    // The library of rules, and the rules that several forms need.
    name: "rules",
    files: [
      "client/shell/shim/zodWithoutEval",
      "gateway/input/page.rules",
      "gateway/calendar/period.rules",
      "gateway/facility/facility.rules",
    ],
    packages: ["zod"],
  },
];

const exactly = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The modules of a chunk, by their ids. */
function modulesOf({ files = [], packages = [], modules = [] }: Chunk): RegExp {
  const ids = [
    ...files.map((file) => `/${exactly(file)}(?:\\.(?:tsx?|css))?$`),
    ...packages.map((name) => `/node_modules/${exactly(name)}(?:/|\\.js$|$)`),
    ...modules.map((end) => `${exactly(end)}$`),
  ];
  return new RegExp(ids.join("|"));
}

/** The chunks as the bundler takes them. */
export const chunkGroups = chunks.map((chunk) => ({ name: chunk.name, test: modulesOf(chunk) }));

const runningOnLoad = new Set(["main", ...chunks.filter(({ runsOnLoad }) => runsOnLoad).map(({ name }) => name)]);

/**
 * For a chunk that runs nearly completely when it is loaded: makes V8 compile all its functions in the background while it loads, instead of
 * each one at its first call on the main thread (https://v8.dev/blog/explicit-compile-hints). Other engines ignore it.
 */
export const calledOnLoad = (name: string): string => (runningOnLoad.has(name) || name.endsWith("Screen") ? "//# allFunctionsCalledOnLoad" : "");
