import type { ComponentType } from "react";
import { createHashRouter, useLocation } from "react-router-dom";
import type { LoaderFunction, RouteObject } from "react-router-dom";
import { OutboxNotice } from "./assessment/OutboxNotice.tsx";
import { patterns } from "./routes.ts";
import { BrokenScreen } from "./shell/BrokenScreen.tsx";
import { Frame } from "./shell/Frame.tsx";
import { HomeScreen } from "./system/HomeScreen.tsx";
import { NotFoundScreen } from "./system/NotFoundScreen.tsx";
import { UsersScreen } from "./user/UsersScreen.tsx";
import { Loading } from "./ui/Loading.tsx";
import { settleOn } from "./urql.ts";

type ScreenFile = { loader?: LoaderFunction; Screen: ComponentType };

/** A new path is a new screen, even where the pattern is the same: nothing of the last province stays on the next one. */
function onePerPath(Screen: ComponentType): ComponentType {
  return function ScreenOfPath() {
    return <Screen key={useLocation().pathname} />;
  };
}

/** A row whose screen is fetched when it is first opened; its loader starts the screen's query. */
function row(path: string, fetchScreen: () => Promise<ScreenFile>): RouteObject {
  return {
    path,
    lazy: async () => {
      const { loader, Screen } = await fetchScreen();
      return { loader, Component: onePerPath(Screen) };
    },
  };
}

const facilities = () => import("./facility/FacilitiesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.FacilitiesScreen }));
const districts = () => import("./reference/DistrictsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DistrictsScreen }));

const facility = () => import("./facility/FacilityScreen.tsx");
const assessment = () => import("./assessment/AssessmentScreen.tsx");
/** Its facility is read ahead: that is where a save leads, also where there is no network any more. */
const newAssessment = () =>
  Promise.all([assessment(), facility()]).then(([{ newLoader, AssessmentScreen: Screen }, { loader: readFacility }]) => {
    const loader: LoaderFunction = (args) => {
      void readFacility(args);
      return newLoader(args);
    };
    return { loader, Screen };
  });
const user = () => import("./user/UserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.UserScreen }));
const newUser = () => import("./user/NewUserScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.NewUserScreen }));

const screens: RouteObject[] = [
  { path: patterns.home, element: <HomeScreen /> },
  row(patterns.search, () => import("./facility/SearchScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.SearchScreen }))),
  row(patterns.provinces, () => import("./reference/ProvincesScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.ProvincesScreen }))),
  row(patterns.districts, districts),
  row(patterns.districtsOfProvince, districts),
  row(patterns.facilities, facilities),
  row(patterns.facilitiesOfDistrict, facilities),
  row(patterns.facilitiesOfProvince, facilities),
  row(patterns.facilitiesByMode, facilities),
  row(patterns.facilitiesByModeOfProvince, facilities),
  row(patterns.facilitiesByModeOfDistrict, facilities),
  row(patterns.facilitiesByModeOfPartner, facilities),
  row(patterns.facility, () => facility().then((file) => ({ loader: file.loader, Screen: file.FacilityScreen }))),
  row(patterns.partners, () => import("./reference/PartnersScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnersScreen }))),
  row(patterns.partner, () => import("./reference/PartnerScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.PartnerScreen }))),
  row(patterns.tdb, () => import("./tdb/TdbUploadScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.TdbUploadScreen }))),
  row(patterns.downloads, () => import("./download/DownloadsScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.DownloadsScreen }))),
  row(patterns.ownUser, user),
  row(patterns.me, user),
  row(patterns.addUser, newUser),
  row(patterns.newUser, newUser),
  row(patterns.user, user),
  { path: patterns.users, element: <UsersScreen /> },
  row(patterns.userDirectory, () =>
    import("./user/UserDirectoryScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.UserDirectoryScreen })),
  ),
  row(patterns.audit, () => import("./audit/AuditScreen.tsx").then((file) => ({ loader: file.loader, Screen: file.AuditScreen }))),
  row(patterns.about, () => import("./system/AboutScreen.tsx").then((file) => ({ Screen: file.AboutScreen }))),
  row(patterns.newAssessment, newAssessment),
  row(patterns.assessment, () => assessment().then((file) => ({ loader: file.loader, Screen: file.AssessmentScreen }))),
  { path: "*", element: <NotFoundScreen /> },
];

/** The route table. It is made when somebody has signed in, and not before. */
export function createRouter() {
  const router = createHashRouter([
    {
      element: <Frame notices={<OutboxNotice />} />,
      errorElement: <BrokenScreen />,
      hydrateFallbackElement: <Loading />,
      children: [{ errorElement: <BrokenScreen />, children: screens }],
    },
  ]);
  router.subscribe(({ navigation, location }) => {
    if (navigation.state === "idle") settleOn(location.pathname);
  });
  return router;
}
