import type { Content } from "../../gateway/assessment/content.rules.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { contentOfAssessment } from "./assessmentContent.ts";

const fragment = graphql(`
  fragment LastVisit_Assessment on Assessment {
    id
    assessmentUuid
    assessmentDate
    ...AssessmentContent_Assessment
  }
`);

/** A facility's latest assessment, from which a new one begins. */
export type LastVisit = {
  assessmentUuid: string;
  /** YYYY-MM-DD */
  assessmentDate: string;
  content: Content;
};

/** The last visit as the server answered it. */
export function lastVisitOf(assessment: FragmentType<typeof fragment>): LastVisit {
  const read = readFragment(fragment, assessment);
  return {
    assessmentUuid: read.assessmentUuid,
    assessmentDate: read.assessmentDate,
    content: contentOfAssessment(read),
  };
}
