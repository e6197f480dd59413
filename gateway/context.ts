import type { Database } from "../db/connect.ts";
import type { Privileges } from "./access/access.rules.ts";
import type { SecondFactorHolders } from "./auth/secondFactor.rules.ts";
import type { Replica } from "../db/replica.ts";
import type { Shares } from "./shares.ts";
import type { Files } from "./storage/files.ts";

/**
 * What calls where no person does: a service account, which may be limited to one place or partner, or a facility by its site credential,
 * which has no rights but to send that facility's TDBs and to ask about itself.
 */
export type Machine = { kind: "service"; limit: Limit | null } | { kind: "site"; facilityUuid: string; facilityName: string };
/** The one place or partner whose facilities a service account reaches. */
export type Limit = { provinceId: number | null; districtId: number | null; implementingPartnerId: number | null };

/** Who calls: the signed-in person of a request, or a machine, with what they may do through this session or token. */
export type Viewer = {
  userUuid: string;
  userName: string;
  implementingPartnerId: number;
  privileges: Privileges;
  /** set when the request came with an access token or a site credential */
  tokenUuid: string | null;
  /** set when it is no person's */
  machine?: Machine;
  /** an administrator, by session or by token, whose account has no second factor */
  lacksSecondFactor?: boolean;
  /** the place in the primary's log of changes that all they wrote lies before; null or missing: nothing was noted */
  writtenUntil?: string | null;
};

/** Something that was refused, to be written down with the request's answer. */
export type Denial = {
  action: string;
  subject?: { type: string; id: string };
  facilityUuid?: string;
  details?: Record<string, unknown>;
};

/** What an act gets to know of the request that called it, whichever face it came through. */
export type Context = {
  /** the database that this request reads and writes; a request that only reads may read a replica by it (reading.ts) */
  db: Database;
  /** the primary: for what must be of this moment in a reading request too (sign-in, limits, locks, the feed), and for the audit */
  primary: Database;
  replica?: Replica | undefined;
  /** set when the request was found to read only */
  isReading?: boolean;
  /** who has written by this request, where that is not the viewer: who signed in */
  writer?: string;
  files: Files;
  viewer: Viewer | null;
  /** who signed in and must set up a second factor before anything else: until then there is no viewer */
  enrolling?: Viewer;
  /** of whom a second factor is asked; of nobody where it is missing */
  secondFactorOf?: SecondFactorHolders;
  /** fair shares of the database for what reads much; none in a context without a gateway */
  shares?: Shares;
  /** whether the caller has gone */
  isLeft?: () => boolean;
  /** what was refused so far: written down when the request is answered, whatever its transactions came to */
  denials: Denial[];
  /** refuses where what the act holds is no longer what the caller has read (rest/etag.ts); a call without a condition has none */
  expect?: (held: unknown) => void;
  /** what became of each file of this request so far: told when the rest of it fails; none in a context without a request */
  received?: unknown[];
  /** told of every event that is given to the audit, to be counted */
  onEvent?: (event: { action: string; outcome: string }) => void;
  /** the caller's network address */
  address: string;
  /** the ministry's zone, for example Africa/Lusaka */
  timeZone: string;
  /** days within which a facility that should send a TDB is expected to send the next one */
  tdbRhythmDays: number;
  /** hours for which the parts of an unfinished upload are kept after its last byte */
  uploadKeepHours: number;
  /** cookies that the answer shall set; null clears one */
  cookies: {
    read: (name: "session" | "reset") => string | undefined;
    set: (name: "session" | "reset", value: string | null, maxAgeSeconds?: number) => void;
  };
};
