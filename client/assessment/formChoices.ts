import type { Versions } from "./SmartCareSection.tsx";

/** What a form offers: names of service areas and versions, from the answer of its screen. */

type ServiceArea = { serviceAreaId: number; serviceArea: string };
type Version = { libraryVersion: string; databaseVersion: string };

export function areaNamesOf(areas: readonly ServiceArea[] = []): (serviceAreaId: number) => string {
  const names = new Map(areas.map(({ serviceAreaId, serviceArea }) => [serviceAreaId, serviceArea]));
  return (serviceAreaId) => names.get(serviceAreaId) ?? `Service area ${serviceAreaId}`;
}

const different = (texts: string[]): string[] => [...new Set(texts)].toSorted();

export const versionsOf = (versions: readonly Version[]): Versions => ({
  library: different(versions.map(({ libraryVersion }) => libraryVersion)),
  database: different(versions.map(({ databaseVersion }) => databaseVersion)),
});
