import { valueNames } from "../../gateway/assessment/content.rules.ts";
import type { Content, Values } from "../../gateway/assessment/content.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { readFragment } from "../gql/fragment-masking.ts";

const fragment = graphql(`
  fragment AssessmentContent_Assessment on Assessment {
    primaryPower
    primaryPowerWorking
    primaryPowerNotes
    backupPower
    backupPowerWorking
    backupPowerNotes
    smartCareFunctional
    libraryVersionConsistent
    libraryVersion
    databaseVersion
    functionalityStatusMode
    dateOfLastUpgrade
    numberOfStaffTrainedInSmartCare
    latitude
    longitude
    positionAccuracy
    positionAt
    positionNote
    otherIssues
    closingComments
    contactAName
    contactARole
    contactAPrimaryPhone
    contactASecondaryPhone
    contactAEmail
    contactBName
    contactBRole
    contactBPrimaryPhone
    contactBSecondaryPhone
    contactBEmail
    serviceAreaAssessments {
      serviceAreaId
      libraryVersion
      databaseVersion
      smartCareFunctional
      additionalNotes
    }
  }
`);

/** The content of an assessment, without author and time. */
export function contentOfAssessment(assessment: FragmentType<typeof fragment>): Content {
  const said = readFragment(fragment, assessment);
  return {
    ...(Object.fromEntries(valueNames.map((name) => [name, said[name] ?? null])) as Values),
    serviceAreaAssessments: said.serviceAreaAssessments.map(
      ({ serviceAreaId, libraryVersion, databaseVersion, smartCareFunctional, additionalNotes }) => ({
        serviceAreaId,
        libraryVersion: libraryVersion ?? null,
        databaseVersion: databaseVersion ?? null,
        smartCareFunctional: smartCareFunctional ?? null,
        additionalNotes: additionalNotes ?? null,
      }),
    ),
  };
}
