import type { ComponentType } from "react";
import { createHashRouter, redirect, useLocation } from "react-router-dom";
import type { RouteObject } from "react-router-dom";
import { ConnectionNotice } from "./assessment/ConnectionNotice.tsx";
import { OutboxNotice } from "./assessment/OutboxNotice.tsx";
import { routes } from "./routes.ts";
import { namedScreens, screens } from "./screens.ts";
import type { ScreenFile } from "./screens.ts";
import { BrokenRoute } from "./shell/BrokenScreen.tsx";
import { Frame } from "./shell/frame/Frame.tsx";
import { currentSession } from "./shell/session/session.ts";
import { setLeaving } from "./shell/toast/toastRoom.ts";
import { HomeScreen } from "./system/HomeScreen.tsx";
import { NotFoundScreen } from "./system/NotFoundScreen.tsx";
import { UploadsNotice } from "./tdb/UploadsNotice.tsx";
import { UsersScreen } from "./user/UsersScreen.tsx";
import { busyWith } from "./ui/network/idle.ts";
import { Loading } from "./ui/notice/Loading.tsx";
import { settleOn } from "./urql.ts";

/**
 * A new path mounts a new screen, even if the pattern is the same, so that no state of one province stays on the next
 * one.
 */
function onePerPath(Screen: ComponentType): ComponentType {
  return function ScreenOfPath() {
    return <Screen key={useLocation().pathname} />;
  };
}

/** Delays a result until the router is rendered. */
type OnceDrawn = <T>(outcome: Promise<T>) => Promise<T>;

/**
 * A row whose screen is fetched when it is first opened; its loader starts the screen's query. The first row's query
 * starts at once, but its result is delayed until the router is rendered, because the provider misses updates of the
 * router before that.
 */
function row(path: string, fetchScreen: () => Promise<ScreenFile>, onceDrawn: OnceDrawn): RouteObject {
  const fetched = () => busyWith(fetchScreen());
  return {
    path,
    loader: (args) => onceDrawn(fetched().then(({ loader }) => loader?.(args) ?? null)),
    lazy: () => onceDrawn(fetched().then(({ Screen }) => ({ Component: onePerPath(Screen) }))),
  };
}

/**
 * Without network, the application begins with the sites that were taken along, if any were: Home's loader goes there
 * once, if the application is opened at Home.
 */
function startInField(): Pick<RouteObject, "loader"> {
  const session = currentSession();
  if (session.state !== "signedIn" || !session.isAway || !/^(#\/?)?$/.test(location.hash)) return {};
  let isStart = true;
  const loader = async () => {
    if (!isStart) return null;
    isStart = false;
    const { readKeptSites } = await import("./facility/fieldSites.ts");
    return (await readKeptSites()) ? redirect(routes.field()) : null;
  };
  return { loader };
}

const table = (onceDrawn: OnceDrawn): RouteObject[] => [
  { path: screens.home.path, element: <HomeScreen />, ...startInField() },
  { path: screens.users.path, element: <UsersScreen /> },
  ...namedScreens.flatMap(([, { path, fetch }]) => (fetch ? [row(path, fetch, onceDrawn)] : [])),
  { path: "*", element: <NotFoundScreen /> },
];

/**
 * The router makes a URL of what the address has after `#`, and fails at `//`, where a host would begin. Slashes at the
 * beginning count as one, as they do at the end.
 */
function putAddressRight(): void {
  const hash = location.hash.replace(/^#[/\\]{2,}/, "#/");
  if (hash !== location.hash) history.replaceState(history.state, "", hash);
}
// The router's own listener comes later: it begins when somebody has signed in.
addEventListener("popstate", putAddressRight);

/** Creates the route table, after somebody has signed in. `drawn` must be called when the router is rendered. */
export function createRouter() {
  let drawn = () => {};
  const isDrawn = new Promise<void>((resolve) => (drawn = resolve));
  const onceDrawn: OnceDrawn = async (outcome) => {
    try {
      return await outcome;
    } finally {
      await isDrawn;
    }
  };
  putAddressRight();
  const router = createHashRouter([
    {
      element: (
        <Frame
          notices={
            <>
              <ConnectionNotice />
              <OutboxNotice />
              <UploadsNotice />
            </>
          }
        />
      ),
      errorElement: <BrokenRoute />,
      children: [{ errorElement: <BrokenRoute />, hydrateFallbackElement: <Loading />, children: table(onceDrawn) }],
    },
  ]);
  let { pathname } = router.state.location;
  router.subscribe(({ navigation, location }) => {
    const isLeaving = navigation.state !== "idle" || location.pathname !== pathname;
    setLeaving(isLeaving);
    if (navigation.state !== "idle") return;
    settleOn(location.pathname);
    pathname = location.pathname;
  });
  return { router, drawn };
}
