import { Card } from "@blueprintjs/core";
import { graphql } from "../../gql/gql.ts";
import { type FragmentType, readFragment } from "../../gql/fragment-masking.ts";
import type { PeopleCard_FacilityFragment } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { useMay } from "../../shell/session/viewer.ts";
import { ScopeLink } from "../../ui/scope/ScopeLink.tsx";

const fragment = graphql(`
  fragment PeopleCard_Facility on Facility {
    id
    implementingPartner { id implementingPartnerId implementingPartner }
    partnerPeople @include(if: $visits) { name phone email }
    latestAssessment @include(if: $visits) {
      id
      contactAName contactARole contactAPrimaryPhone contactASecondaryPhone contactAEmail
      contactBName contactBRole contactBPrimaryPhone contactBSecondaryPhone contactBEmail
    }
  }
`);

type Visit = NonNullable<PeopleCard_FacilityFragment["latestAssessment"]>;

type Contact = { name: string | null; role: string | null; phones: string[]; email: string | null };

const contactOf = (visit: Visit, which: "A" | "B"): Contact => ({
  name: visit[`contact${which}Name`] ?? null,
  role: visit[`contact${which}Role`] ?? null,
  phones: [visit[`contact${which}PrimaryPhone`], visit[`contact${which}SecondaryPhone`]].filter(
    (phone) => !!phone,
  ) as string[],
  email: visit[`contact${which}Email`] ?? null,
});

function ContactCard({ contact: { name, role, phones, email } }: { contact: Contact }) {
  return (
    <li>
      <span className="is-person">{name || "No name"}</span>
      {role ? <span className="note"> {role}</span> : null}
      <div className="row">
        {phones.map((phone) => (
          <a href={`tel:${phone.replaceAll(/[^\d+]/g, "")}`} key={phone}>
            {phone}
          </a>
        ))}
        {email ? <a href={`mailto:${email}`}>{email}</a> : null}
      </div>
    </li>
  );
}

/** Whom to call: the contacts of the last visit and the partner's people, for people who may see visits. */
export function PeopleCard({ facility }: { facility: FragmentType<typeof fragment> }) {
  const { implementingPartner: partner, partnerPeople, latestAssessment: visit } = readFragment(fragment, facility);
  const mayView = useMay("viewAssessments");
  const contacts = visit
    ? (["A", "B"] as const)
        .map((which) => contactOf(visit, which))
        .filter(({ name, phones, email }) => name || phones.length > 0 || email)
    : [];
  return (
    <Card aria-labelledby="facility-people" className="story-card stack is-close" role="region">
      <h2 id="facility-people">People to call</h2>
      {contacts.length > 0 ? (
        <ul className="plain stack is-close">
          {contacts.map((contact, index) => (
            <ContactCard contact={contact} key={index === 0 ? "first" : "second"} />
          ))}
        </ul>
      ) : (
        <p className="soft">
          {!mayView
            ? "Contacts are shown to people who may see assessments."
            : visit
              ? "The last visit recorded no contact."
              : "Nobody visited it yet, so there is no contact."}
        </p>
      )}
      <p>
        <span className="note">Partner </span>
        {partner ? (
          <ScopeLink to={routes.partner(partner.implementingPartnerId)}>{partner.implementingPartner}</ScopeLink>
        ) : (
          "none"
        )}
      </p>
      {partnerPeople?.length ? (
        <ul aria-label="People of the partner" className="plain stack is-close">
          {partnerPeople.map(({ name, phone, email }) => (
            <ContactCard contact={{ name, role: null, phones: phone ? [phone] : [], email }} key={email} />
          ))}
        </ul>
      ) : null}
    </Card>
  );
}
