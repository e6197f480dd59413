import { Callout, Card, Intent } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { genders } from "../../gateway/user/user.rules.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
import { Fact, FactList } from "../ui/page/FactList.tsx";
import { formatDate } from "../ui/text/dates.ts";
import { userLabels } from "./userFields.ts";

const fragment = graphql(`
  fragment UserDetailsSection_User on User {
    id
    userName
    firstName
    middleName
    surname
    gender
    bio
    primaryEmail
    secondaryEmail
    primaryPhoneNumber
    secondaryPhoneNumber
    implementingPartner { id implementingPartnerId implementingPartner }
    privileges { administrator }
    lastLoginDate
    lastLoginTime
    active
    passwordTemporary
  }
`);

const names = [
  ...(["userName", "firstName", "middleName", "surname", "gender"] as const),
  ...(["primaryEmail", "secondaryEmail", "primaryPhoneNumber", "secondaryPhoneNumber"] as const),
];

/** The details of a person. */
export function UserDetailsSection({ user }: { user: FragmentType<typeof fragment> }) {
  const known = readFragment(fragment, user);
  const seesAudit = useMay("viewAudit");
  const { implementingPartner: partner } = known;
  return (
    <Card className="stack" aria-label="Details" role="region">
      {known.active ? null : (
        <Callout intent={Intent.WARNING} role="status">
          This account is deactivated: its owner cannot sign in.
        </Callout>
      )}
      <FactList>
        {names.map((name) => (
          <Fact key={name} label={userLabels[name]} unknown="Not recorded">
            {name === "gender" ? genders[known.gender] : known[name]}
          </Fact>
        ))}
        <Fact label={userLabels.implementingPartnerId} unknown="">
          <Link to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</Link>
        </Fact>
        <Fact label="Last sign-in" unknown="Never">
          {known.lastLoginDate ? `${formatDate(known.lastLoginDate)}, ${known.lastLoginTime}` : null}
        </Fact>
        <Fact label="Role" unknown="">
          {known.privileges.administrator ? "Administrator" : "User"}
        </Fact>
        {known.bio ? (
          <Fact isWide label={userLabels.bio} unknown="">
            {known.bio}
          </Fact>
        ) : null}
      </FactList>
      {known.passwordTemporary ? (
        <p className="note">The password is temporary and has not been replaced yet.</p>
      ) : null}
      {seesAudit ? (
        <p className="note">
          Audit: <Link to={routes.audit({ who: known.userName })}>what this person did</Link>,{" "}
          <Link to={routes.audit({ about: known.userName })}>what was done to this account</Link>
        </p>
      ) : null}
    </Card>
  );
}
