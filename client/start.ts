import { fetchScreenAt } from "./screens.ts";
import { askEarly } from "./shell/earlySession.ts";

/** The first script of a visit, small so that it comes first: it asks for all that will be needed at once. */

const ignore = () => {
  // Asked again, and told of, by the application.
};

// The screen of the address is wanted now or after the sign-in.
fetchScreenAt(location.hash.slice(1).replace(/\?.*/, "")).catch(ignore);

askEarly()
  .then((isSignedIn) => (isSignedIn ? undefined : import("./auth/LoginScreen.tsx")))
  .catch(ignore);

// React is set up first and the application after it: two steps, between which the browser can do what the person asks for.
import("react-dom/client")
  .then(() => import("./main.tsx"))
  .catch(() => {
    const status = document.querySelector("[role=status]");
    if (status) status.textContent = "The server cannot be reached. Check the connection and try again.";
  });
