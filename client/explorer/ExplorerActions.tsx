import { useState } from "react";

import { useExplorer } from "./explorerState.ts";
import { SaveQueryDialog } from "./SaveQueryDialog.tsx";
import { downloadSpreadsheet } from "./savedQueries.ts";

/** The actions for the query in the editor, except running it. */
export function ExplorerActions() {
  const { say, editors } = useExplorer();
  const [isSaving, setSaving] = useState(false);
  const [isDownloading, setDownloading] = useState(false);

  const download = async (pages: "one" | "all") => {
    if (!editors) return;
    setDownloading(true);
    try {
      await downloadSpreadsheet(editors.read(), pages);
      say(pages === "all" ? "All pages of the answer were saved as a spreadsheet." : "The answer was saved as a spreadsheet.");
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      setDownloading(false);
    }
  };

  return (
    <div className="explorer-actions" role="group" aria-label="With this query">
      <button type="button" disabled={!editors || isDownloading} onClick={() => void download("one")}>
        Open as spreadsheet (CSV)
      </button>
      <button type="button" disabled={!editors || isDownloading} onClick={() => void download("all")}>
        All pages (CSV)
      </button>
      <button type="button" disabled={!editors} onClick={() => setSaving(true)}>
        Save query…
      </button>
      <button className="explorer-to-questions" type="button" onClick={() => document.getElementById("explorer-questions")?.scrollIntoView()}>
        Questions below
      </button>
      {isSaving && editors && <SaveQueryDialog editors={editors} onClose={() => setSaving(false)} />}
    </div>
  );
}
