import { Facility } from "../facility/facility.graphql.ts";
import { PeriodInput } from "../facility/facilityFilter.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { parse } from "../input/parse.ts";
import { knownDay } from "../calendar/asOf.ts";
import { namedPeriodOf, todayIn } from "../calendar/fiscal.rules.ts";
import { timeArguments } from "../calendar/period.rules.ts";
import { Assessment } from "./assessment.graphql.ts";
import { loadLatestAssessment } from "./latestAssessment.ts";

/** The edge from a facility to its latest assessment, which shows its state. */
builder.objectField(Facility, "latestAssessment", (t) =>
  t.field({
    type: Assessment,
    nullable: true,
    description:
      "Its latest assessment: of all time, of a period, the one that the dashboards count there, or as at a day; null where there is none. " +
      "Needs viewAssessments, editAssessments or administrator: null with an error otherwise.",
    args: {
      period: t.arg({ type: PeriodInput, description: "Only assessments of this period." }),
      asOf: t.arg({ type: "Date", description: "Instead of period: the latest one up to and including this day." }),
    },
    resolve: ({ facilityUuid }, args, context) => {
      const { period, asOf } = parse(timeArguments, args);
      return loadLatestAssessment(context, facilityUuid, {
        period: period ? namedPeriodOf(period, todayIn(context.timeZone)) : null,
        asOf: asOf == null ? null : knownDay(context, asOf, "asOf"),
      });
    },
  }),
);
