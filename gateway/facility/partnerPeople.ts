import { listPeopleOfPartners, type PartnerPersonRow } from "../../db/user/user.ts";
import { mayAt, requireViewer } from "../access/access.ts";
import type { Context } from "../context.ts";
import { batched } from "../reading/batch.ts";
import type { FacilityRow } from "./facility.ts";

/** Whom to call at a facility's partner. */

/** So many people of a partner are named, by name. */
const mostPeople = 5;
export type PartnerPerson = Omit<PartnerPersonRow, "implementingPartnerId">;

const loadPeople = batched<number, PartnerPerson[]>(
  async (context, implementingPartnerIds) => {
    const people = new Map<number, PartnerPerson[]>();
    for (const { implementingPartnerId: id, ...person } of await listPeopleOfPartners(context.db, {
      implementingPartnerIds,
      most: mostPeople,
    }))
      people.set(id, [...(people.get(id) ?? []), person]);
    return people;
  },
  () => [],
);

/**
 * The people who manage the accounts of a facility's partner and can sign in; null for who may not see assessments
 * there. Several facilities of one request are read together.
 */
export async function readPartnerPeople(context: Context, facility: FacilityRow): Promise<PartnerPerson[] | null> {
  requireViewer(context);
  if (!mayAt(context, "viewAssessments", facility)) return null;
  return facility.implementingPartnerId === null ? [] : loadPeople(context, facility.implementingPartnerId);
}
