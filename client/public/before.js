// Before the first paint. Written for any browser, also one that cannot run the application.
(function () {
  // An older browser than Chromium 106, Firefox 115 or Safari 15.4 gets a page that says which ones work.
  var agent = /(?:Chrom\w+\/(\d+))|(?:Firefox\/(\d+))/.exec(navigator.userAgent) || [];
  var isNamedOld = Number(agent[1] || 106) < 106 || Number(agent[2] || 115) < 115;
  if (isNamedOld || typeof structuredClone !== "function" || !Array.prototype.findLast) {
    location.replace("/browsers.html");
    return;
  }

  // A dark screen must not flash light before. The rest of the theme is in shell/theme/theme.ts.
  var chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (_) {
    // Without storage the device's preference counts.
  }
  var dark = chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.classList.toggle("bp6-dark", dark);

  // A script of the page did not arrive, or this device has lost it: the page loads again when the server answers.
  var again;
  function load() {
    fetch("/api/v1/system", { method: "HEAD" }).then(
      function (response) {
        // A network that wants a sign-in first answers with a page of its own.
        if (!/html/.test(response.headers.get("content-type"))) location.reload();
      },
      function () {},
    );
  }
  function wait() {
    var status = document.querySelector("[role=status]");
    if (!status || again) return;
    status.textContent = "The server cannot be reached. The page opens as soon as the connection is back.";
    again = setInterval(load, 15000);
    addEventListener("online", load);
  }
  addEventListener("start-failed", wait); // start.ts
  addEventListener(
    "error",
    function (event) {
      if (event.target.tagName === "SCRIPT") wait();
    },
    true,
  );
})();
