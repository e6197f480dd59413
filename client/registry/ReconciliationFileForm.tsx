import { useState } from "react";
import { routes } from "../routes.ts";
import { Suggestions, TextField } from "../ui/field/TextField.tsx";
import { ListFileForm } from "./ListFileForm.tsx";

/** Sends the list of another system, and opens the findings of the comparison. */
export function ReconciliationFileForm({ sources }: { sources: readonly string[] }) {
  const [source, setSource] = useState(sources[0] ?? "");
  const [level, setLevel] = useState("");
  return (
    <ListFileForm
      accept=".csv,.json,text/csv,application/json"
      beside={{ source: source.trim(), level }}
      button="Compare"
      check={() => (source.trim() === "" ? { path: "source", message: "Say whose list it is." } : undefined)}
      label="List (CSV or JSON)"
      note="DHIS2's organisation units as CSV or as the JSON of its API (paging=false), or a list of facilities as CSV with the columns of an import. Only what the list has columns for is compared. Nothing is changed."
      path="/api/v1/registry/reconciliations"
      routeOf={routes.reconciliation}
    >
      {(file, faultOf) => (
        <div className="grid">
          <TextField error={faultOf("source")} field={{ name: "source", value: source, onChange: ({ currentTarget }) => setSource(currentTarget.value) }} isRequired label="Whose list" suggestions="reconciliation-sources" />
          <Suggestions id="reconciliation-sources" values={sources.length > 0 ? sources : ["DHIS2", "Ministry's public list"]} />
          {file}
          <TextField error={faultOf("level")} field={{ name: "level", value: level, onChange: ({ currentTarget }) => setLevel(currentTarget.value) }} help="Of organisation units; without it the deepest" inputMode="numeric" label="Level of facilities" />
        </div>
      )}
    </ListFileForm>
  );
}
