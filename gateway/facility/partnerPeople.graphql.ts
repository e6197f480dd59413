import { builder } from "../graphql/builder.ts";
import { Facility } from "./facility.graphql.ts";
import { type PartnerPerson, readPartnerPeople } from "./partnerPeople.ts";

/** Whom to call at a facility's partner. */

const PartnerPersonType = builder.objectRef<PartnerPerson>("PartnerPerson").implement({
  description: "A person of a partner, to be called.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "First name and surname." }),
    phone: t.exposeString("phone", { nullable: true, description: "The primary phone number." }),
    email: t.exposeString("email", { description: "The primary e-mail address." }),
  }),
});

builder.objectField(Facility, "partnerPeople", (t) =>
  t.field({
    type: [PartnerPersonType],
    nullable: true,
    description:
      "People of its partner who manage the partner's accounts, at most five, by name. For who may see assessments; null for others.",
    resolve: (facility, _, context) => readPartnerPeople(context, facility),
  }),
);
