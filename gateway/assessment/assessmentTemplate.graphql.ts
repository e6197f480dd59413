import { Facility, FunctionalityStatusMode } from "../facility/facility.graphql.ts";
import { loadFacility, loadServiceAreas } from "../facility/facility.ts";
import { builder } from "../graphql/builder.ts";
import { User } from "../user/user.graphql.ts";
import { loadUser } from "../user/user.ts";
import { ServiceAreaAssessment } from "./assessment.graphql.ts";
import { readAssessmentTemplate } from "./assessment.ts";
import { answerNames, type TextName, textLimits } from "./assessment.rules.ts";
import { answerDescriptions, positionDescriptions, textDescriptions } from "./descriptions.rules.ts";

/** The initial content of a new assessment, as in `GET /assessment/facility/{facilityUuid}`. */

type Template = Awaited<ReturnType<typeof readAssessmentTemplate>>;

const AssessmentTemplate = builder.objectRef<Template>("AssessmentTemplate").implement({
  description:
    "The initial content of a new assessment of a facility: empty, with an entry for each of its active service areas.",
  fields: (t) => ({
    facilityUuid: t.exposeString("facilityUuid", { description: "The facility to be visited." }),
    facility: t.field({
      type: Facility,
      description: "The facility to be visited.",
      resolve: ({ facilityUuid }, _, context) => loadFacility(context, facilityUuid),
    }),
    userUuid: t.exposeString("userUuid", { description: "Who will have made it: the caller." }),
    userName: t.exposeString("userName", { description: "The caller's user name." }),
    user: t.field({
      type: User,
      nullable: true,
      description: "The caller's record.",
      resolve: ({ userUuid }, _, context) => loadUser(context, userUuid),
    }),
    functionalityStatusMode: t.field({
      type: FunctionalityStatusMode,
      nullable: true,
      description: "The deployment mode that is found. Required when it is sent.",
      resolve: ({ functionalityStatusMode }) => functionalityStatusMode,
    }),
    dateOfLastUpgrade: t.field({
      type: "Date",
      nullable: true,
      description: "Required when it is sent.",
      resolve: ({ dateOfLastUpgrade }) => dateOfLastUpgrade,
    }),
    numberOfStaffTrainedInSmartCare: t.int({
      nullable: true,
      description: "Required when it is sent.",
      resolve: ({ numberOfStaffTrainedInSmartCare }) => numberOfStaffTrainedInSmartCare,
    }),
    latitude: t.float({
      nullable: true,
      description: positionDescriptions.latitude,
      resolve: ({ latitude }) => latitude,
    }),
    longitude: t.float({
      nullable: true,
      description: positionDescriptions.longitude,
      resolve: ({ longitude }) => longitude,
    }),
    positionAccuracy: t.float({
      nullable: true,
      description: positionDescriptions.positionAccuracy,
      resolve: (row) => row.positionAccuracy,
    }),
    positionAt: t.string({
      nullable: true,
      description: positionDescriptions.positionAt,
      resolve: ({ positionAt }) => positionAt,
    }),
    ...Object.fromEntries(
      answerNames.map((name) => [
        name,
        t.boolean({ nullable: true, description: answerDescriptions[name], resolve: (row) => row[name] }),
      ]),
    ),
    ...Object.fromEntries(
      (Object.keys(textLimits) as TextName[]).map((name) => [
        name,
        t.string({ nullable: true, description: textDescriptions[name], resolve: (row) => row[name] }),
      ]),
    ),
    serviceAreaAssessments: t.field({
      type: [ServiceAreaAssessment],
      description: "By the name of the service area.",
      resolve: async ({ facilityUuid, serviceAreaAssessments }, _, context) => {
        const names = new Map(
          (await loadServiceAreas(context, facilityUuid)).map(({ serviceAreaId, serviceArea }) => [
            serviceAreaId,
            serviceArea,
          ]),
        );
        return serviceAreaAssessments
          .map((area) => ({ ...area, assessmentUuid: "", serviceArea: names.get(area.serviceAreaId) ?? "" }))
          .toSorted((a, b) => a.serviceArea.localeCompare(b.serviceArea, "en"));
      },
    }),
  }),
});

builder.queryField("assessmentTemplate", (t) =>
  t.field({
    type: AssessmentTemplate,
    nullable: true,
    description:
      "The initial content of a new assessment of a facility. Needs editAssessments or administrator: null with an error otherwise.",
    args: { facilityUuid: t.arg.string({ required: true, description: "The facility to be visited." }) },
    resolve: (_, { facilityUuid }, context) => readAssessmentTemplate(context, facilityUuid),
  }),
);
