import { randomBytes } from "node:crypto";

import { noPrivileges } from "../access/access.rules.ts";
import type { DemoFacility } from "./demo.facilities.ts";
import { addDays, moment, uuidOf } from "./demo.random.ts";

/**
 * Made-up service accounts and site credentials, so that their screen shows something. Nobody can use these
 * credentials: the stored hashes are random numbers, and belong to no secret.
 */

const hashOfNothing = (): string => randomBytes(32).toString("hex");

const serviceName = "hmis-sync";
/** The credentials of some sites: when each was issued, ends and was last used, in days from today. */
const sites = [
  { issued: -40, ends: 325, used: -1, address: "203.0.113.17" },
  { issued: -120, ends: 245, used: -3, address: "203.0.113.64" },
  { issued: -12, ends: 353, used: null, address: null },
  { issued: -400, ends: -35, used: -61, address: "198.51.100.9" },
  { issued: -200, ends: 165, used: -30, address: "198.51.100.40", revoked: -9 },
];

type Place = {
  facilities: readonly DemoFacility[];
  today: string;
  ownerUuid: string;
  partnerIdOf: (name: string) => number;
  ministry: string;
};

const machine = (
  userUuid: string,
  rest: { kind: "service" | "site"; userName: string; firstName: string; surname: string },
) => ({
  ...{
    ...noPrivileges,
    ...rest,
    userUuid,
    gender: "U",
    primaryEmail: userUuid,
    primaryPhoneNumber: "",
    passwordHash: "",
    passwordTemporary: false,
  },
});

/** The rows of one service account and of some sites with credentials. */
export function createMachines({ facilities, today, ownerUuid, partnerIdOf, ministry }: Place) {
  const service = uuidOf(`service ${serviceName}`, 7);
  const named = facilities.flatMap(({ partner, hmisCode, ...facility }) =>
    partner !== null && hmisCode !== null ? [{ ...facility, partner }] : [],
  );
  const chosen = sites.map((site, index) => {
    const facility = named[Math.floor((named.length * (index + 1)) / (sites.length + 1))]!;
    return { ...site, facility, userUuid: uuidOf(`site ${facility.facilityUuid}`, 7) };
  });
  const day = (days: number | null | undefined, hour: number) =>
    days == null ? null : moment(addDays(today, days), hour, 20);
  const token = (
    name: string,
    rest: { userUuid: string; name: string; privileges: string[]; createdAt: string | null; expiresAt: string },
  ) => ({
    ...{ tokenUuid: uuidOf(`token ${name}`, 7), tokenHash: hashOfNothing(), ...rest },
  });
  return {
    users: [
      {
        ...machine(service, {
          kind: "service",
          userName: serviceName,
          firstName: "Service account",
          surname: serviceName,
        }),
        ...{ viewAssessments: true, implementingPartnerId: partnerIdOf(ministry) },
      },
      ...chosen.map(({ userUuid, facility }) => ({
        ...machine(userUuid, {
          kind: "site",
          userName: `site@${facility.facilityUuid}`,
          firstName: "Site",
          surname: facility.facilityName,
        }),
        implementingPartnerId: partnerIdOf(facility.partner),
      })),
    ],
    serviceAccounts: [{ userUuid: service, ownerUuid }],
    siteAccounts: chosen.map(({ userUuid, facility }) => ({
      userUuid,
      facilityUuid: facility.facilityUuid,
      validDays: 365,
    })),
    tokens: [
      {
        ...token(serviceName, {
          userUuid: service,
          name: "Nightly",
          privileges: ["viewAssessments"],
          createdAt: day(-90, 9),
          expiresAt: moment(addDays(today, 276), 0, 0),
        }),
        ...{ lastUsedAt: day(-1, 2), lastUsedAddress: "203.0.113.5", revokedAt: null },
      },
      ...chosen.map(({ userUuid, issued, ends, used, address, revoked }) => ({
        ...token(userUuid, {
          userUuid,
          name: "Site credential",
          privileges: [],
          createdAt: day(issued, 10),
          expiresAt: moment(addDays(today, ends), 0, 0),
        }),
        ...{ lastUsedAt: day(used, 16), lastUsedAddress: address, revokedAt: day(revoked, 11) },
      })),
    ],
  };
}
