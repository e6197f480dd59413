import { Button, Classes } from "@blueprintjs/core";
import { AddIcon, EditIcon } from "@blueprintjs/icons";
import { useState } from "react";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router-dom";
import type { LoaderFunction } from "react-router-dom";
import { AccessTokensSection } from "../auth/AccessTokensSection.tsx";
import { PasswordForm } from "../auth/PasswordForm.tsx";
import { SecondFactorSection } from "../auth/SecondFactorSection.tsx";
import { SessionsSection } from "../auth/SessionsSection.tsx";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { currentSession } from "../shell/session/session.ts";
import { useMay, useViewer } from "../shell/session/viewer.ts";
import { NotFoundNotice } from "../ui/notice/NotFoundNotice.tsx";
import { JumpList } from "../ui/page/JumpList.tsx";
import { Page } from "../ui/page/Page.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { SecretNotice } from "../ui/notice/SecretNotice.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AccountSection, UserSecondFactorSection, UserTokensSection } from "./AccountSection.tsx";
import { forgetHandover, handedOver } from "./handover.ts";
import { PrivilegesTable } from "./PrivilegesTable.tsx";
import { UserDetailsSection } from "./UserDetailsSection.tsx";
import { UserRecordsSection } from "./UserRecordsSection.tsx";
import { UserSettingsDialog } from "./UserSettingsDialog.tsx";
import "./UserScreen.css";

const query = graphql(`
  query UserScreenQuery($uuid: String!) {
    user(uuid: $uuid) {
      id
      uuid
      userName
      privileges { administrator }
      ...UserDetailsSection_User
      ...UserSettingsDialog_User
      ...PrivilegesTable_User
      ...AccountSection_User
    }
  }
`);

/** The user in the path; the viewer if it names nobody. */
const named = (uuid: string | undefined, own: string): string => (uuid === undefined || uuid === "me" ? own : uuid);

export const loader: LoaderFunction = (args) => {
  const session = currentSession();
  if (session.state !== "signedIn") return null;
  return screenLoader(query, ({ params }) => ({ uuid: named(params["userUuid"], session.viewer.user.uuid) }))(args);
};

/** A part of the page, with a link in the list of parts. */
function Part({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div className="page-part stack is-apart" id={id} tabIndex={-1}>
      {children}
    </div>
  );
}

/** A person: details, privileges, and their assessments and TDBs. */
export function UserScreen() {
  const viewer = useViewer();
  const uuid = named(useParams()["userUuid"], viewer.user.uuid);
  const isOwn = uuid === viewer.user.uuid;
  const mayManage = useMay("manageUsers");
  const mayEditOwn = useMay("editOwnProfile");
  const answer = useScreenQuery(query, { uuid });
  const [isEditing, setEditing] = useState(false);
  const [temporaryPassword, setTemporaryPassword] = useState(() => handedOver(uuid));

  const done = () => {
    forgetHandover();
    setTemporaryPassword(undefined);
  };

  return (
    <QueryState query={answer} what="user">
      {({ user }) => {
        if (!user) return <NotFoundNotice what="user" />;
        const isBeyond = user.privileges.administrator && !viewer.privileges.administrator;
        const mayEdit = isOwn ? mayEditOwn : mayManage && !isBeyond;
        return (
          <Page
            title="User Profile"
            subtitle={user.userName}
            actions={
              <>
                {mayEdit ? <Button icon={<EditIcon />} onClick={() => setEditing(true)} text="Edit" /> : null}
                {mayManage ? (
                  <Link className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY}`} to={routes.addUser()}>
                    <AddIcon />
                    <span className={Classes.BUTTON_TEXT}>Add new</span>
                  </Link>
                ) : null}
              </>
            }
          >
            {temporaryPassword ? (
              <SecretNotice label={`Temporary password of ${user.userName}`} secret={temporaryPassword} onDone={done}>
                Hand it over now. You will not see it again. It must be replaced at the first sign-in.
              </SecretNotice>
            ) : null}
            <JumpList
              parts={[
                { id: "profile", title: "Profile" },
                ...(mayManage ? [{ id: "privileges", title: "Privileges" }] : []),
                ...(mayManage && !isOwn && !isBeyond ? [{ id: "account", title: "Account and tokens" }] : []),
                { id: "records", title: "Assessments and TDBs" },
                ...(isOwn ? [{ id: "account", title: "Password, sessions and tokens" }] : []),
              ]}
            />
            <Part id="profile">
              <UserDetailsSection user={user} />
            </Part>
            {mayManage ? (
              <Part id="privileges">
                <PrivilegesTable user={user} isOwn={isOwn} />
              </Part>
            ) : null}
            {mayManage && !isOwn && !isBeyond ? (
              <Part id="account">
                <AccountSection user={user} onPassword={setTemporaryPassword} />
                <UserSecondFactorSection uuid={user.uuid} />
                <UserTokensSection uuid={user.uuid} />
              </Part>
            ) : null}
            <Part id="records">
              <UserRecordsSection userUuid={uuid} />
            </Part>
            {isOwn ? (
              <Part id="account">
                <div className="grid">
                  <PasswordForm />
                  <SessionsSection />
                  <SecondFactorSection />
                </div>
                <AccessTokensSection />
              </Part>
            ) : null}
            {mayEdit ? <UserSettingsDialog user={user} isOpen={isEditing} onClose={() => setEditing(false)} /> : null}
          </Page>
        );
      }}
    </QueryState>
  );
}
