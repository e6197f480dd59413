/**
 * The files into which the application is built, beside one for each screen. A group takes the modules that its test names and all that they
 * import, except what an earlier group has; of several groups the first one counts. Everything that a form needs is one unit: "visit".
 */
export const chunks = [
  // What releases seldom change, so that it stays in the browser's cache.
  { name: "vendor", test: /\/node_modules\/(react|react-dom|scheduler|react-router|react-router-dom|@remix-run|urql|@urql|wonka)\// },
  // What the first script, the explorer and the screens share.
  { name: "ground", test: /\/client\//, tags: ["$initial" as const], minShareCount: 8 },
  // The frame around every screen, and all styles that main.tsx imports: in one file their order is kept, Blueprint's before ours. The icons
  // are here too, because a browser makes only six requests at a time over HTTP/1.1.
  {
    name: "application",
    test: /\/client\/(App|shell\/offline)\.tsx?$|\/(blueprint|base|start|tokens)\.css$|\/@blueprintjs\/icons\/lib\/esm\/generated\/components\//,
  },
  // What screens share that need no form, with the rules that work without the library of rules.
  {
    name: "screens",
    test: /\/client\/ui\/(field\/(?!LengthCount|TickField)|(filter|list|network|notice|page|text)\/)|\/(FacilityDetailsSection|FieldListNote|ExportAssessmentsButton|OverviewWayButton)\.tsx$|\/(guard|receivedText)\.ts$|\/(text|searchText|listPeriod|credentials)\.rules\.ts$/,
  },
  { name: "overview", test: /\/client\/dash\/OverviewSection\.tsx$/ },
  { name: "visit", test: /\/client\/assessment\/(AssessmentForm\.tsx|AssessmentScreen\.css)$|\/node_modules\/(zod|react-hook-form)\// },
];
