import { fetchScreenAt } from "./screens.ts";
import { askEarly, isSignedInEarly } from "./shell/session/earlySession.ts";

/**
 * The first script of the page. It is small, so that it arrives first, and requests everything that will be needed at
 * once.
 */

/** What Chromium 106 to 109 and Safari 15.4 lack; others fetch nothing for it. */
const ready =
  "toSorted" in Array.prototype
    ? Promise.resolve()
    : import("./shell/shim/olderArrays.ts").then(({ addArrayMethods }) => addArrayMethods());

const ignore = () => {
  // The application asks again and reports a failure.
};

// Before all files, because on a slow connection they would delay the answer.
const asked = askEarly();

// The screen of the address is wanted now or after the sign-in.
asked.then(() => fetchScreenAt(location.hash.slice(1).replace(/\?.*/, ""))).catch(ignore);
asked
  .then(isSignedInEarly)
  .then((isSignedIn) => (isSignedIn ? undefined : import("./auth/LoginScreen.tsx")))
  .catch(ignore);

// React is loaded first and the application after it: two steps, between which the browser can react to input.
Promise.all([asked.then(() => import("react-dom/client")), ready])
  .then(() => import("./main.tsx"))
  // The page says so, and loads again (public/before.js).
  .catch(() => dispatchEvent(new Event("start-failed")));
