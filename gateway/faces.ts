import "./auth/auth.graphql.ts";
import "./reference/reference.graphql.ts";
import "./reference/boundary.graphql.ts";
import "./user/user.graphql.ts";
import "./user/account.graphql.ts";
import "./user/userTokens.graphql.ts";
import "./user/secondFactor.graphql.ts";
import "./audit/audit.graphql.ts";
import "./fieldList/fieldList.graphql.ts";
import "./facility/facility.graphql.ts";
import "./facility/facilityList.graphql.ts";
import "./facility/saveFacility.graphql.ts";
import "./facility/identifier.graphql.ts";
import "./facility/registry.graphql.ts";
import "./facility/timeline.graphql.ts";
import "./facility/partnerPeople.graphql.ts";
import "./registry/registryImport.graphql.ts";
import "./registry/reconciliation.graphql.ts";
import "./reference/place.graphql.ts";
import "./assessment/assessment.graphql.ts";
import "./assessment/latestAssessment.graphql.ts";
import "./assessment/assessmentTemplate.graphql.ts";
import "./assessment/saveAssessment.graphql.ts";
import "./tdb/tdb.graphql.ts";
import "./tdb/latestTdb.graphql.ts";
import "./tdb/tdbUpload.graphql.ts";
import "./setAside/setAside.graphql.ts";
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
import "./action/action.graphql.ts";
import "./bulk/bulk.graphql.ts";
import "./ledger/ledger.graphql.ts";
import "./target/target.graphql.ts";
import "./report/report.graphql.ts";
import "./fleet/fleet.graphql.ts";
import "./fleet/update.graphql.ts";
import "./query/query.graphql.ts";
import "./view/view.graphql.ts";
import "./system/system.graphql.ts";
import { authRoutes } from "./auth/auth.rest.ts";
import { referenceRoutes } from "./reference/reference.rest.ts";
import { boundaryRoutes } from "./reference/boundary.rest.ts";
import { userRoutes } from "./user/user.rest.ts";
import { userAccountRoutes } from "./user/userAccount.rest.ts";
import { accountRoutes } from "./auth/account.rest.ts";
import { secondFactorRoutes } from "./auth/secondFactor.rest.ts";
import { facilityListRoutes } from "./facility/facilityList.rest.ts";
import { facilityRoutes } from "./facility/facility.rest.ts";
import { facilityExportRoutes } from "./facility/facilityExport.rest.ts";
import { identifierRoutes } from "./facility/identifier.rest.ts";
import { registryRoutes } from "./facility/registry.rest.ts";
import { registryImportRoutes } from "./registry/registryImport.rest.ts";
import { reconciliationRoutes } from "./registry/reconciliation.rest.ts";
import { placeRoutes } from "./reference/place.rest.ts";
import { assessmentRoutes } from "./assessment/assessment.rest.ts";
import { tdbRoutes } from "./tdb/tdb.rest.ts";
import { tdbUploadRoutes } from "./tdb/tdbUpload.rest.ts";
import { silenceRoutes } from "./tdb/silence.rest.ts";
import { downloadRoutes } from "./download/download.rest.ts";
import { fleetRoutes } from "./fleet/fleet.rest.ts";
import { changeRoutes } from "./change/change.rest.ts";
import { siteRoutes } from "./site/site.rest.ts";
import { serviceAccountRoutes } from "./machine/serviceAccount.rest.ts";
import { siteCredentialRoutes } from "./machine/siteCredential.rest.ts";
import { ownSiteRoutes } from "./machine/ownSite.rest.ts";
import { dashRoutes } from "./dash/dash.rest.ts";
import { situationRoutes } from "./situation/situation.rest.ts";
import { worklistRoutes } from "./situation/worklist.rest.ts";
import { actionRoutes } from "./action/action.rest.ts";
import { ledgerRoutes } from "./ledger/ledger.rest.ts";
import { targetRoutes } from "./target/target.rest.ts";
import { organisationUnitRoutes } from "./directory/organisationUnit.rest.ts";
import { fhirRoutes } from "./directory/fhir.rest.ts";
import { auditRoutes } from "./audit/audit.rest.ts";
import { queryRoutes } from "./query/query.rest.ts";
import { systemRoutes } from "./system/system.rest.ts";

/**
 * The registry of all nouns' GraphQL types and REST routes ("faces"). Importing a file registers its GraphQL types. The
 * routes are mounted in this order. A new file needs one line here for GraphQL, or two for REST.
 */
export const routes = [
  authRoutes,
  referenceRoutes,
  boundaryRoutes,
  userRoutes,
  userAccountRoutes,
  accountRoutes,
  secondFactorRoutes,
  facilityListRoutes,
  facilityRoutes,
  facilityExportRoutes,
  identifierRoutes,
  registryRoutes,
  registryImportRoutes,
  reconciliationRoutes,
  placeRoutes,
  assessmentRoutes,
  tdbRoutes,
  tdbUploadRoutes,
  silenceRoutes,
  downloadRoutes,
  fleetRoutes,
  changeRoutes,
  siteRoutes,
  serviceAccountRoutes,
  siteCredentialRoutes,
  ownSiteRoutes,
  dashRoutes,
  situationRoutes,
  worklistRoutes,
  actionRoutes,
  ledgerRoutes,
  targetRoutes,
  organisationUnitRoutes,
  fhirRoutes,
  auditRoutes,
  queryRoutes,
  systemRoutes,
];
