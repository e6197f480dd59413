import { lexicographicSortSchema } from "graphql";

import "./auth/auth.graphql.ts";
import "./reference/reference.graphql.ts";
import "./reference/boundary.graphql.ts";
import "./user/user.graphql.ts";
import "./user/account.graphql.ts";
import "./user/userTokens.graphql.ts";
import "./user/secondFactor.graphql.ts";
import "./audit/audit.graphql.ts";
import "./facility/facility.graphql.ts";
import "./facility/facilityList.graphql.ts";
import "./facility/saveFacility.graphql.ts";
import "./assessment/assessment.graphql.ts";
import "./assessment/latestAssessment.graphql.ts";
import "./assessment/assessmentTemplate.graphql.ts";
import "./assessment/saveAssessment.graphql.ts";
import "./tdb/tdb.graphql.ts";
import "./tdb/latestTdb.graphql.ts";
import "./tdb/tdbUpload.graphql.ts";
import "./change/change.graphql.ts";
import "./site/site.graphql.ts";
import "./tdb/silence.graphql.ts";
import "./machine/serviceAccount.graphql.ts";
import "./machine/siteCredential.graphql.ts";
import "./download/download.graphql.ts";
import "./dash/dash.graphql.ts";
import "./dash/groups.graphql.ts";
import "./situation/situation.graphql.ts";
import "./situation/worklist.graphql.ts";
import "./query/query.graphql.ts";
import "./view/view.graphql.ts";
import "./system/system.graphql.ts";
import { builder } from "./graphql/builder.ts";
import { shareConnections } from "./graphql/connectionTypes.ts";
import { describe } from "./graphql/glossary.ts";

/** The GraphQL schema of all nouns (a new noun is a line above), in the order of its names so that only changes move its text. */
export const schema = describe(lexicographicSortSchema(shareConnections(builder.toSchema())));
