import { lazy, Suspense, useEffect, useLayoutEffect, useState } from "react";
import { RouterProvider } from "react-router-dom";
import { Provider } from "urql";
import { AwayScreen } from "./auth/AwayScreen.tsx";
import { hasFieldNote } from "./store/fieldNote.ts";
import { useMay, useSession } from "./shell/session/viewer.ts";
import { createRouter } from "./router.tsx";
import { giveRoomBack } from "./shell/toast/toastRoom.ts";
import { readAhead } from "./ui/network/idle.ts";
import { client } from "./urql.ts";
import "./App.css";

const LoginScreen = lazy(() => import("./auth/LoginScreen.tsx").then((file) => ({ default: file.LoginScreen })));

/** Updates the sites that this device keeps for work without network, if there are any. */
async function refreshField(): Promise<void> {
  if (await hasFieldNote()) await import("./site/fieldDownload.ts").then(({ refreshQuietly }) => refreshQuietly());
}

/** The routed screens; they live as long as one person's session. */
function Screens() {
  const [{ router, drawn }] = useState(createRouter);
  useLayoutEffect(() => {
    drawn();
    return () => router.dispose();
  }, [router, drawn]);
  // After the notification of the sign-in screen has begun to go.
  useEffect(giveRoomBack, []);
  const mayAssess = useMay("editAssessments");
  useEffect(() => {
    return mayAssess ? readAhead(refreshField) : undefined;
  }, [mayAssess]);
  return (
    <Provider value={client}>
      <RouterProvider router={router} />
    </Provider>
  );
}

/** The whole product: the login screen, or the screens for the person who is signed in. */
export function App() {
  const session = useSession();
  switch (session.state) {
    case "asking":
      return null;
    case "unreachable":
      return <AwayScreen words={session.words} />;
    case "signedOut":
      return (
        <Suspense fallback={null}>
          <LoginScreen />
        </Suspense>
      );
    case "signedIn":
      return <Screens key={session.viewer.user.uuid} />;
  }
}
