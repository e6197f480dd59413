import { fetchScreenAt } from "./screens.ts";
import { askEarly } from "./shell/earlySession.ts";

/** The first script of a visit, small so that it comes first: it asks for all that will be needed at once. */

const fetchNext = (isSignedIn: boolean): Promise<unknown> =>
  isSignedIn ? fetchScreenAt(location.hash.slice(1).replace(/\?.*/, "")) : import("./auth/LoginScreen.tsx");

askEarly()
  .then(fetchNext)
  .catch(() => {
    // Asked again, and told of, by the application.
  });

import("./main.tsx").catch(() => {
  const status = document.querySelector("[role=status]");
  if (status) status.textContent = "The server cannot be reached. Check the connection and try again.";
});
