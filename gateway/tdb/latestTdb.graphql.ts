import { knownDay } from "../calendar/asOf.ts";
import { asOfArgument } from "../calendar/period.rules.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { parse } from "../input/parse.ts";
import { loadLatestTdb } from "./latestTdb.ts";
import { Tdb } from "./tdb.graphql.ts";

/** The edge from a facility to its latest TDB. */
builder.objectField(Facility, "latestTdb", (t) =>
  t.field({
    type: Tdb,
    nullable: true,
    description:
      "Its latest TDB, the one made last: of all received, or of those received up to and including a day; null where there is none. " +
      "Needs uploadTdbs or administrator: null with an error otherwise.",
    args: { asOf: t.arg({ type: "Date", description: "Only those received up to and including this day." }) },
    resolve: ({ facilityUuid }, args, context) => {
      const { asOf } = parse(asOfArgument, args);
      return loadLatestTdb(context, facilityUuid, asOf == null ? null : knownDay(context, asOf, "asOf"));
    },
  }),
);
