import { findIsDemonstration, findToday } from "../../db/system.ts";
import { name as packageName, version } from "../../package.json";
import type { Context } from "../context.ts";

/** What this installation says of itself, to anyone. */
export type System = {
  appName: string;
  appVersion: string;
  patchLevel: string;
  javaVersion: string;
  javaVendor: string;
  demonstration: boolean;
  timeZone: string;
  today: string;
};

/**
 * System information in the specification's words. The product runs on Node.js: `javaVersion` and `javaVendor` say so instead
 * of naming a Java that is not there.
 */
export async function readSystem(context: Context): Promise<System> {
  const [demonstration, today] = await Promise.all([
    findIsDemonstration(context.db),
    findToday(context.db),
  ]);
  const [major, minor, patch] = version.split(".");
  return {
    appName: packageName,
    appVersion: `${major}.${minor}`,
    patchLevel: patch ?? "0",
    javaVersion: `None (Node.js ${process.versions.node})`,
    javaVendor: "None (OpenJS Foundation)",
    demonstration,
    timeZone: context.timeZone,
    today,
  };
}
