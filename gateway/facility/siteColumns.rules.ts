/**
 * The columns of lists of facilities. On screens, prints, and in the files that people open (work list, silent sites) a
 * column has its heading from here; in REST, GraphQL, and in files for programs its name. Everywhere it has the same
 * value.
 */
export const headings = {
  facilityName: "Site",
  hmisCode: "HMIS code",
  place: "Place",
  district: "District",
  province: "Province",
  implementingPartner: "Partner",
  smartCareFunctional: "Works",
  powerWorking: "Power",
  libraryVersion: "Version",
  functionalityStatusMode: "Present mode",
  lastVisitDate: "Last visit",
  lastTdbCreationDate: "Last data",
  daysSinceLastTdb: "Days without data",
  overdue: "Overdue",
  openActions: "Open actions",
  contactName: "Contact",
  contactRole: "Role",
  contactPhone: "Phone",
} as const;

/** How a facility stands today, and whom to call. The contact is null for who may not see assessments. */
export type SiteState = {
  smartCareFunctional: boolean | null;
  powerWorking: boolean | null;
  libraryVersion: string | null;
  functionalityStatusMode: string | null;
  lastVisitDate: string | null;
  lastTdbCreationDate: string | null;
  daysSinceLastTdb: number | null;
  overdue: boolean;
  contactName: string | null;
  contactRole: string | null;
  contactPhone: string | null;
};
export type SiteColumn = keyof SiteState;

type Visit = { lastVisitDate?: string | null | undefined };
/** Whether SmartCare or power works, in words. */
export function worksWords(works: boolean | null | undefined, { lastVisitDate }: Visit): string {
  if (lastVisitDate == null) return "Never assessed";
  return works == null ? "Not recorded" : works ? "Works" : "Does not work";
}

/** The value of a column in a file that people open. A mode has its name in the interfaces there. */
export function siteCell(column: SiteColumn, state: SiteState): string | number | null {
  if (column === "smartCareFunctional" || column === "powerWorking") return worksWords(state[column], state);
  if (column === "overdue") return state.overdue ? "Yes" : "No";
  return state[column];
}
