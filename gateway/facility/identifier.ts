import type { Handle } from "../../db/engine/connect.ts";
import { transact } from "../../db/engine/transaction.ts";
import { findFacility, lockFacility, updateFacility } from "../../db/facility/facility.ts";
import * as db from "../../db/facility/facilityIdentifier.ts";
import { builtInSystems, hasForm, type IdentifierSystem } from "../../db/facility/identifierSystems.rules.ts";
import { requireRight, requireViewer } from "../access/access.ts";
import { recordAudit } from "../audit/audit.ts";
import type { Context } from "../context.ts";
import { codeIn } from "../input/identity.rules.ts";
import { isStorable } from "../input/text.rules.ts";
import { type InputError, invalid, notFound, Problem } from "../problem.ts";
import { batched } from "../reading/batch.ts";
import { type FacilityRow, loadFacility, readFacility } from "./facility.ts";
import { type Identifiers, isBuiltIn, valueFault } from "./identifier.rules.ts";

/** Acts on the identifiers of facilities and their systems, shared by REST and GraphQL. */

export type { Identifier } from "../../db/facility/facilityIdentifier.ts";

/** Every system: the built-in ones, then those that administrators added. */
export async function listSystems(context: Context): Promise<IdentifierSystem[]> {
  requireViewer(context);
  return systemsOf(context.db);
}
/** The same without a check of rights, for other acts. */
export const systemsOf = async (handle: Handle): Promise<IdentifierSystem[]> => [
  ...builtInSystems.map(({ system, name, pattern, isUnique }) => ({ system, name, pattern, isUnique })),
  ...(await db.listAddedSystems(handle)),
];

const loadAddedNames = batched<string, string>(
  async ({ db: handle }) => new Map((await db.listAddedSystems(handle)).map(({ system, name }) => [system, name])),
  (system) => system,
);
/** The name of a system, as people know it. */
export const nameOfSystem = (context: Context, system: string): string | Promise<string> =>
  builtInSystems.find((one) => one.system === system)?.name ?? loadAddedNames(context, system);

/** The identifiers of several facilities. */
export async function loadIdentifiersOf(
  context: Context,
  facilityUuids: readonly string[],
): Promise<Map<string, db.Identifier[]>> {
  requireViewer(context);
  const found = new Map<string, db.Identifier[]>(facilityUuids.map((uuid) => [uuid, []]));
  const rows = facilityUuids.length > 0 ? await db.listIdentifiers(context.db, { facilityUuids }) : [];
  for (const { facilityUuid, ...identifier } of rows) found.get(facilityUuid)?.push(identifier);
  return found;
}
export const loadIdentifiers = batched<string, db.Identifier[]>(loadIdentifiersOf, () => []);

/**
 * The facility that has exactly this identifier: the one where it is in use, else the one where it was in use last.
 *
 * @throws Problem NOT_FOUND; CONFLICT if several facilities have it, in a system whose identifiers are not unique
 */
export async function readFacilityBy(
  context: Context,
  { system, value: given }: { system: string; value: string },
): Promise<FacilityRow> {
  requireViewer(context);
  const value = codeIn(given);
  if (value === undefined || !isStorable(system) || !isStorable(value)) throw notFound("facility", "facilityUuid");
  if (!(await listSystems(context)).some((one) => one.system === system))
    throw notFound("system of identifiers", "system");
  const [first, ...others] = await db.listHolders(context.db, { system, value });
  if (!first) throw notFound("facility", "facilityUuid");
  const isUnique =
    (await db.listTaken(context.db, { facilityUuid: null, identifiers: [{ system, value }] })).length > 0;
  if (others.length > 0 && !isUnique)
    throw new Problem(
      "CONFLICT",
      `Several facilities have this identifier: ${[first, ...others]
        .slice(0, 10)
        .map(({ facilityName, facilityUuid }) => `${facilityName} (${facilityUuid})`)
        .join(", ")}.`,
    );
  return loadFacility(context, first.facilityUuid);
}

const identifiersOf = async (handle: Handle, facilityUuid: string) =>
  (await db.listIdentifiers(handle, { facilityUuids: [facilityUuid] })).map(
    ({ facilityUuid: _of, ...identifier }) => identifier,
  );

/**
 * Errors in a list of identifiers, with the index in the path. If another facility has an identifier, the message names
 * both facilities.
 */
async function identifierFaults(
  handle: Handle,
  {
    facilityUuid,
    facilityName,
    identifiers,
  }: { facilityUuid: string | null; facilityName: string; identifiers: Identifiers },
): Promise<InputError[]> {
  const systems = new Map((await systemsOf(handle)).map((one) => [one.system, one]));
  const errors: InputError[] = [];
  const inUse = new Set<string>();
  for (const [index, { system, value, until }] of identifiers.entries()) {
    const known = systems.get(system);
    const fault = valueFault(value, known);
    if (fault) errors.push({ path: `identifiers.${index}.${known ? "value" : "system"}`, message: fault });
    if (system === "hmis" && until === null) {
      if (inUse.has(system))
        errors.push({
          path: `identifiers.${index}.value`,
          message: "a facility has one HMIS code in use: give the other its last day",
        });
      inUse.add(system);
    }
  }
  const present = identifiers.filter(({ system, until }) => systems.get(system)?.isUnique && until === null);
  for (const taken of await db.listTaken(handle, { facilityUuid, identifiers: present })) {
    const index = identifiers.findIndex(({ system, value }) => system === taken.system && value === taken.value);
    errors.push({
      path: `identifiers.${index}.value`,
      message: `${systems.get(taken.system)!.name} '${taken.value}' is that of ${taken.facilityName} (${taken.facilityUuid}): ${facilityName}${facilityUuid ? ` (${facilityUuid})` : ""} cannot have it too`,
    });
  }
  return errors;
}

/** Replaces the identifiers of a facility. Its own codes are also columns of its row; triggers keep both equal. */
async function writeIdentifiers(
  handle: Handle,
  facility: Pick<FacilityRow, "facilityUuid" | "hmisCode" | "oldHmisCode">,
  identifiers: Identifiers,
): Promise<void> {
  const { facilityUuid } = facility;
  const systems = new Map((await systemsOf(handle)).map((one) => [one.system, one]));
  const hmisCode = identifiers.find(({ system, until }) => system === "hmis" && until === null)?.value ?? null;
  const former = identifiers.filter(({ system }) => system === "formerHmis").map(({ value }) => value);
  const oldHmisCode =
    facility.oldHmisCode !== null && former.includes(facility.oldHmisCode) ? facility.oldHmisCode : (former[0] ?? null);
  await db.deleteOtherIdentifiers(handle, { facilityUuid, identifiers });
  await updateFacility(handle, { facilityUuid, values: { hmisCode, oldHmisCode } });
  await db.deleteOtherIdentifiers(handle, { facilityUuid, identifiers });
  await db.upsertIdentifiers(handle, {
    identifiers: identifiers.map((one) => ({ ...one, facilityUuid, isUnique: systems.get(one.system)!.isUnique })),
  });
}

/**
 * Replaces all identifiers of a facility. Returns them as they are then.
 *
 * @throws Problem FORBIDDEN, NOT_FOUND, STALE or INVALID
 */
export async function saveFacilityIdentifiers(
  context: Context,
  { facilityUuid: asked, identifiers }: { facilityUuid: string; identifiers: Identifiers },
): Promise<{ identifiers: db.Identifier[] }> {
  requireRight(context, "editRegistry");
  const { facilityUuid } = await readFacility(context, asked);
  return transact(context.db, async (transaction) => {
    if (!(await lockFacility(transaction, { facilityUuid }))) throw notFound("facility", "facilityUuid");
    const facility = (await findFacility(transaction, { facilityUuid }))!;
    const old = { identifiers: await identifiersOf(transaction, facilityUuid) };
    context.expect?.(old);
    const errors = await identifierFaults(transaction, { ...facility, identifiers });
    if (errors.length > 0) throw invalid(errors);
    await writeIdentifiers(transaction, facility, identifiers);
    const present = { identifiers: await identifiersOf(transaction, facilityUuid) };
    await recordAudit(
      context,
      { action: "facility.identifiers", outcome: "done", facilityUuid, details: { old, new: present } },
      transaction,
    );
    return present;
  }).catch((error: unknown) => {
    throw explainTaken(error);
  });
}

/**
 * Converts the database's error for a taken identifier or code into a Problem: it happens if two callers give one
 * identifier to two facilities at the same time. Other errors are unchanged.
 */
export function explainTaken(error: unknown): unknown {
  const { constraint, detail } = error as { constraint?: string; detail?: string };
  if (constraint !== "facility_identifier_is_one_facilitys" && constraint !== "facility_by_hmis_code") return error;
  return new Problem(
    "CONFLICT",
    `Another facility got one of these identifiers just now. ${detail ?? ""} Read again.`.replaceAll("  ", " "),
  );
}

/**
 * Refuses a pattern that existing identifiers do not match, because their facilities could not be saved any more.
 * @throws Problem INVALID
 */
async function requireFitting(handle: Handle, { system, pattern }: IdentifierSystem): Promise<void> {
  const [first, ...others] = (await db.listOfSystem(handle, { system })).filter(
    ({ value }) => !hasForm(value, { pattern }),
  );
  if (first)
    throw invalid([
      {
        path: "pattern",
        message: `does not fit '${first.value}' of ${first.facilityName} (${first.facilityUuid})${others.length > 0 ? ` and ${others.length} more` : ""}`,
      },
    ]);
}

/** Adds a system of identifiers, or changes one that was added. @throws Problem FORBIDDEN, INVALID, CONFLICT */
export async function saveSystem(context: Context, given: IdentifierSystem): Promise<IdentifierSystem> {
  requireRight(context, "manageIdentifierSystems");
  const { system } = given;
  if (isBuiltIn(system)) throw invalid([{ path: "system", message: "is built in and cannot be changed" }]);
  return transact(context.db, async (transaction) => {
    const old = (await db.listAddedSystems(transaction)).find((one) => one.system === system);
    await requireFitting(transaction, given);
    if (!old) await db.insertSystem(transaction, given);
    else
      await db.updateSystem(transaction, given).catch((error: { constraint?: string; detail?: string }) => {
        if (error.constraint !== "facility_identifier_is_one_facilitys") throw error;
        throw new Problem(
          "CONFLICT",
          `Several facilities have one identifier of ${old.name}, so it cannot be unique: ${error.detail ?? ""}`,
        );
      });
    await recordAudit(
      context,
      {
        action: "identifier-system.save",
        outcome: "done",
        subject: { type: "identifierSystem", id: system },
        details: { old: old ?? null, new: given },
      },
      transaction,
    );
    return given;
  });
}

/** Removes a system that was added and that no facility uses. @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT */
export async function removeSystem(context: Context, system: string): Promise<IdentifierSystem> {
  requireRight(context, "manageIdentifierSystems");
  return transact(context.db, async (transaction) => {
    const old = (await db.listAddedSystems(transaction)).find((one) => one.system === system);
    if (!old)
      throw isBuiltIn(system)
        ? new Problem("CONFLICT", "This system is built in.")
        : notFound("system of identifiers", "system");
    const count = await db.countOfSystem(transaction, { system });
    if (count > 0)
      throw new Problem(
        "CONFLICT",
        `${count} ${count === 1 ? "facility has" : "facilities have"} identifiers of ${old.name}.`,
      );
    await db.deleteSystem(transaction, { system });
    await recordAudit(
      context,
      {
        action: "identifier-system.remove",
        outcome: "done",
        subject: { type: "identifierSystem", id: system },
        details: { old },
      },
      transaction,
    );
    return old;
  });
}
