// Before the first paint, so that no light flash precedes a dark screen. The rest of the theme is in shell/theme.ts.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (_) {
    // Without storage the device's preference counts.
  }
  var dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.classList.toggle("bp6-dark", dark);
})();
