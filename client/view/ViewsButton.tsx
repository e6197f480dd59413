import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { showError } from "../shell/toast/toaster.tsx";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";

/** The dialog is fetched when it is first opened. */
const dialog = fetchedPart(() => import("./ViewsDialog.tsx"));

/** Leads to the saved views: keeps the list that is open under a name, and opens others. */
export function ViewsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} text="Views" />
      <FetchedDialog
        isOpen={isOpen}
        onFailure={(message) => {
          setOpen(false);
          showError(message);
        }}
        part={dialog}
      >
        {({ ViewsDialog }) => <ViewsDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
      </FetchedDialog>
    </>
  );
}
