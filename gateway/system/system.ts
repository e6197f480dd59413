import { countSetUp } from "../../db/system/setUp.ts";
import { findIsDemonstration, findToday } from "../../db/system/system.ts";
import { name as packageName, version } from "../../package.json";
import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { examineAddress, isPublic } from "./address.ts";
import { examine, type Finding, type FindingState, worstOf } from "./doctor.ts";
import { type SetUpStep, stepsOf } from "./setUp.rules.ts";
import { utcOffsetOf } from "./utcOffset.ts";

/** Information about the installation, which everybody may read. */
export type System = {
  appName: string;
  appVersion: string;
  patchLevel: string;
  javaVersion: string;
  javaVendor: string;
  demonstration: boolean;
  timeZone: string;
  /** Minutes that its clock is ahead of UTC; null if that changes. */
  utcOffset: number | null;
  today: string;
};

/**
 * System information, with the keys of the specification. The product runs on Node.js: `javaVersion` and `javaVendor`
 * say that there is no Java, and which Node.js there is.
 */
export async function readSystem(context: Context): Promise<System> {
  const [demonstration, today] = await Promise.all([findIsDemonstration(context.db), findToday(context.db)]);
  const [major, minor, patch] = version.split(".");
  return {
    appName: packageName,
    appVersion: `${major}.${minor}`,
    patchLevel: patch ?? "0",
    javaVersion: `None (Node.js ${process.versions.node})`,
    javaVendor: "None (OpenJS Foundation)",
    demonstration,
    timeZone: context.timeZone,
    utcOffset: utcOffsetOf(context.timeZone),
    today,
  };
}

/** What the checks of this installation found; `state` is the worst of them. */
export type SystemChecks = { state: FindingState; findings: Finding[] };

/**
 * Checks database, storage, backup and derived figures as `npm run doctor` does, and the address by which the caller
 * reached the platform as its `--address` does.
 *
 * @throws Problem FORBIDDEN for everybody but administrators
 */
export async function readSystemChecks(context: Context): Promise<SystemChecks> {
  requireRight(context, "viewSystem");
  const { primary: db, files, timeZone, origin = "" } = context;
  const address = URL.canParse(origin) ? new URL(origin) : undefined;
  const [inside, outside] = await Promise.all([
    examine({ db, files, timeZone }),
    address && isPublic(address) ? examineAddress(address) : [],
  ]);
  const findings = [...inside, ...outside];
  return { state: worstOf(findings), findings };
}

/** The steps of setting up the country, and which are done. @throws Problem FORBIDDEN for everybody but administrators */
export async function readSetUp(context: Context): Promise<SetUpStep[]> {
  requireRight(context, "viewSystem");
  return stepsOf(await countSetUp(context.db));
}
