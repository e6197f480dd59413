import { Button } from "@blueprintjs/core";
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
      say(`${pages === "all" ? "All pages of the answer were" : "The answer was"} saved as a spreadsheet.`);
    } catch (error) {
      say((error as Error).message, true);
    } finally {
      setDownloading(false);
    }
  };
  const isOff = !editors || isDownloading;
  return (
    <>
      <Button disabled={isOff} onClick={() => void download("one")} text="Open as spreadsheet (CSV)" />
      <Button disabled={isOff} onClick={() => void download("all")} text="All pages (CSV)" />
      <Button disabled={!editors} onClick={() => setSaving(true)} text="Save query…" />
      {editors && <SaveQueryDialog editors={editors} isOpen={isSaving} onClose={() => setSaving(false)} />}
    </>
  );
}
