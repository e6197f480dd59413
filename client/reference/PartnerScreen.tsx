import type { ReactNode } from "react";
import { type LoaderFunction, useParams } from "react-router-dom";
import { type Capability, may } from "../../gateway/access/access.rules.ts";
import { ExportAssessmentsButton } from "../assessment/ExportAssessmentsButton.tsx";
import { WithOverview } from "../dash/WithOverview.tsx";
import * as facilities from "../facility/PartnerFacilitiesTab.tsx";
import { graphql } from "../gql/gql.ts";
import { currentSession, type Viewer } from "../shell/session/session.ts";
import { useViewer } from "../shell/session/viewer.ts";
import * as tdbs from "../tdb/PartnerTdbsTab.tsx";
import { tdbListNames } from "../tdb/tdbList.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import * as users from "../user/PartnerUsersTab.tsx";
import { idInPath } from "../ui/list/idInPath.ts";

const query = graphql(`
  query PartnerScreenQuery($implementingPartnerId: Int!) {
    implementingPartner(implementingPartnerId: $implementingPartnerId) {
      id
      implementingPartner
      active
    }
  }
`);

type PartnerTab = {
  id: string;
  title: string;
  needs?: Capability;
  /** Shown only to people of this partner and to administrators. */
  ownOnly?: boolean;
  loader?: LoaderFunction;
  panel: (implementingPartnerId: number) => ReactNode;
};

const tabs: PartnerTab[] = [
  {
    id: "facilities",
    title: "Facilities",
    loader: facilities.loader,
    panel: (id) => <facilities.PartnerFacilitiesTab implementingPartnerId={id} />,
  },
  {
    id: "users",
    title: "Users",
    needs: "manageUsers",
    ownOnly: true,
    loader: users.loader,
    panel: (id) => <users.PartnerUsersTab implementingPartnerId={id} />,
  },
  {
    id: "tdbs",
    title: "Uploaded TDBs",
    needs: "viewTdbs",
    loader: tdbs.loader,
    panel: (id) => <tdbs.PartnerTdbsTab implementingPartnerId={id} />,
  },
];

const tabsFor = ({ privileges, user }: Viewer, implementingPartnerId: number) =>
  tabs.filter(({ needs, ownOnly }) => {
    const isOwn = user.implementingPartner.implementingPartnerId === implementingPartnerId;
    return (!needs || may(privileges, needs)) && (!ownOnly || isOwn || privileges.administrator);
  });

const start = screenLoader(query, ({ params }) => ({
  implementingPartnerId: idInPath(params.implementingPartnerId) ?? 0,
}));

/** Starts the screen's query, and at the same time the query of the tab that will be shown. */
export const loader: LoaderFunction = (args) => {
  const session = currentSession();
  const implementingPartnerId = idInPath(args.params.implementingPartnerId);
  if (implementingPartnerId === undefined || session.state !== "signedIn") return null;
  const mine = tabsFor(session.viewer, implementingPartnerId);
  const wanted = new URL(args.request.url).searchParams.get("tab");
  void (mine.find(({ id }) => id === wanted) ?? mine[0])?.loader?.(args);
  return start(args);
};

function Partner({ implementingPartnerId }: { implementingPartnerId: number }) {
  const viewer = useViewer();
  const answer = useScreenQuery(query, { implementingPartnerId });
  return (
    <QueryState query={answer} what="implementing partner">
      {({ implementingPartner: partner }) =>
        partner ? (
          <Page
            title={`Implementing Partner - ${partner.implementingPartner}`}
            subtitle={partner.active ? undefined : "No longer an active partner"}
          >
            <WithOverview scope={{ implementingPartnerId }}>
              <div className="row screen-only">
                <ExportAssessmentsButton scope={{ implementingPartnerId }} />
              </div>
              <UrlTabs
                clears={["page", "tdbPage", ...tdbListNames]}
                label="Lists of the partner"
                tabs={tabsFor(viewer, implementingPartnerId).map(({ id, title, panel }) => ({
                  id,
                  title,
                  panel: () => panel(implementingPartnerId),
                }))}
              />
            </WithOverview>
          </Page>
        ) : (
          <NotFoundNotice what="implementing partner" />
        )
      }
    </QueryState>
  );
}

/** An implementing partner: the facilities that it supports, their TDBs, and its overview. */
export function PartnerScreen() {
  const implementingPartnerId = idInPath(useParams().implementingPartnerId);
  if (implementingPartnerId === undefined) return <NotFoundNotice what="implementing partner" />;
  return <Partner implementingPartnerId={implementingPartnerId} />;
}
