import { Link } from "react-router-dom";
import { genders } from "../../gateway/user/user.rules.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { routes } from "../routes.ts";
import { useMay } from "../shell/session/viewer.ts";
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

/** The details of a person. */
export function UserDetailsSection({ user }: { user: FragmentType<typeof fragment> }) {
  const known = readFragment(fragment, user);
  const seesAudit = useMay("viewAudit");
  const { implementingPartner: partner } = known;
  const facts = [
    [userLabels.userName, known.userName],
    [userLabels.firstName, known.firstName],
    [userLabels.middleName, known.middleName],
    [userLabels.surname, known.surname],
    [userLabels.gender, genders[known.gender]],
    [userLabels.primaryEmail, known.primaryEmail],
    [userLabels.secondaryEmail, known.secondaryEmail],
    [userLabels.primaryPhoneNumber, known.primaryPhoneNumber],
    [userLabels.secondaryPhoneNumber, known.secondaryPhoneNumber],
  ] as const;
  return (
    <section className="card user-details" aria-label="Details">
      {known.active ? null : (
        <p className="user-ended" role="status">
          This account is deactivated: its owner cannot sign in.
        </p>
      )}
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value ?? <span className="user-unknown">Not recorded</span>}</dd>
          </div>
        ))}
        <div>
          <dt>{userLabels.implementingPartnerId}</dt>
          <dd>
            <Link to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</Link>
          </dd>
        </div>
        <div>
          <dt>Last sign-in</dt>
          <dd>{known.lastLoginDate ? `${formatDate(known.lastLoginDate)}, ${known.lastLoginTime}` : <span className="user-unknown">Never</span>}</dd>
        </div>
        <div>
          <dt>Role</dt>
          <dd>{known.privileges.administrator ? "Administrator" : "User"}</dd>
        </div>
        {known.bio ? (
          <div className="is-wide">
            <dt>{userLabels.bio}</dt>
            <dd className="user-bio">{known.bio}</dd>
          </div>
        ) : null}
      </dl>
      {known.passwordTemporary ? <p className="user-note">The password is temporary and has not been replaced yet.</p> : null}
      {seesAudit ? (
        <p className="user-trail">
          Audit: <Link to={routes.audit({ who: known.userName })}>what this person did</Link>,{" "}
          <Link to={routes.audit({ about: known.userName })}>what was done to this account</Link>
        </p>
      ) : null}
    </section>
  );
}
