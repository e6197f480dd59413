import { routes } from "../routes.ts";
import { ListFileForm } from "./ListFileForm.tsx";

/** Sends a list of facilities, and opens its review. */
export function ImportFileForm() {
  return (
    <ListFileForm
      accept=".csv,text/csv"
      button="Review"
      label="List of facilities (CSV)"
      note="CSV as spreadsheets save it, with the columns of the facility list. An empty cell leaves what is stored; (erase) erases it. Nothing changes before you have reviewed the rows and applied them."
      path="/api/v1/registry/import"
      routeOf={routes.registryImport}
    />
  );
}
