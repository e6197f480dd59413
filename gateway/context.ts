import type { Database } from "../db/connect.ts";
import type { Privileges } from "./access/access.rules.ts";
import type { Files } from "./storage/files.ts";

/** The signed-in person of a request, with what they may do through this session or token. */
export type Viewer = {
  userUuid: string;
  userName: string;
  implementingPartnerId: number;
  privileges: Privileges;
  /** set when the request came with a personal access token */
  tokenUuid: string | null;
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
  db: Database;
  files: Files;
  viewer: Viewer | null;
  /** what was refused so far: written down when the request is answered, whatever its transactions came to */
  denials: Denial[];
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
  /** cookies that the answer shall set; null clears one */
  cookies: {
    read: (name: "session" | "reset") => string | undefined;
    set: (name: "session" | "reset", value: string | null, maxAgeSeconds?: number) => void;
  };
};
