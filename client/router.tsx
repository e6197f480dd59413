import type { ComponentType } from "react";
import { createHashRouter, useLocation } from "react-router-dom";
import type { RouteObject } from "react-router-dom";
import { OutboxNotice } from "./assessment/OutboxNotice.tsx";
import { patterns } from "./routes.ts";
import { screens } from "./screens.ts";
import type { ScreenFile } from "./screens.ts";
import { BrokenScreen } from "./shell/BrokenScreen.tsx";
import { Frame } from "./shell/Frame.tsx";
import { HomeScreen } from "./system/HomeScreen.tsx";
import { NotFoundScreen } from "./system/NotFoundScreen.tsx";
import { UsersScreen } from "./user/UsersScreen.tsx";
import { Loading } from "./ui/Loading.tsx";
import { settleOn } from "./urql.ts";

/** A new path is a new screen, even where the pattern is the same: nothing of the last province stays on the next one. */
function onePerPath(Screen: ComponentType): ComponentType {
  return function ScreenOfPath() {
    return <Screen key={useLocation().pathname} />;
  };
}

/**
 * A row whose screen is fetched when it is first opened; its loader starts the screen's query. The first one waits until the router
 * is drawn, which takes several steps: of what the router comes to know in between its provider would not hear.
 */
function row(path: string, fetchScreen: () => Promise<ScreenFile>, isDrawn: Promise<void>): RouteObject {
  return {
    path,
    lazy: async () => {
      const [{ loader, Screen }] = await Promise.all([fetchScreen(), isDrawn]);
      return { loader, Component: onePerPath(Screen) };
    },
  };
}

const table = (isDrawn: Promise<void>): RouteObject[] => [
  { path: patterns.home, element: <HomeScreen /> },
  { path: patterns.users, element: <UsersScreen /> },
  ...screens.map(([path, fetchScreen]) => row(path, fetchScreen, isDrawn)),
  { path: "*", element: <NotFoundScreen /> },
];

/** The route table, made when somebody has signed in, and not before; `drawn` is to be called when it is on the page. */
export function createRouter() {
  let drawn = () => {};
  const isDrawn = new Promise<void>((resolve) => (drawn = resolve));
  const router = createHashRouter([
    {
      element: <Frame notices={<OutboxNotice />} />,
      errorElement: <BrokenScreen />,
      children: [{ errorElement: <BrokenScreen />, hydrateFallbackElement: <Loading />, children: table(isDrawn) }],
    },
  ]);
  router.subscribe(({ navigation, location }) => {
    if (navigation.state === "idle") settleOn(location.pathname);
  });
  return { router, drawn };
}
