import { Facility } from "../facility/facility.graphql.ts";
import { PeriodInput } from "../facility/facilityFilter.graphql.ts";
import { builder } from "../graphql/builder.ts";
import { parse } from "../input/parse.ts";
import { namedPeriodOf, todayIn } from "../calendar/fiscal.rules.ts";
import { periodArgument } from "../calendar/period.rules.ts";
import { Assessment } from "./assessment.graphql.ts";
import { loadLatestAssessment } from "./latestAssessment.ts";

/** The edge from a facility to its latest assessment, which shows its state. */
builder.objectField(Facility, "latestAssessment", (t) =>
  t.field({
    type: Assessment,
    nullable: true,
    description:
      "Its latest assessment: of all time, or of a period, the one that the dashboards count there; null where there is none. " +
      "Needs viewAssessments, editAssessments or administrator: null with an error otherwise.",
    args: { period: t.arg({ type: PeriodInput, description: "Only assessments of this period." }) },
    resolve: ({ facilityUuid }, { period: given }, context) => {
      const { period } = parse(periodArgument, { period: given });
      return loadLatestAssessment(context, facilityUuid, period ? namedPeriodOf(period, todayIn(context.timeZone)) : null);
    },
  }),
);
