import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { showError } from "../shell/toast/toaster.tsx";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";

const dialog = fetchedPart(() => import("./ViewsDialog.tsx"));

/** Opens the dialog of saved views. */
export function ViewsButton() {
  const [isOpen, setOpen] = useState(false);
  const unfetched = (message: string) => {
    setOpen(false);
    showError(message);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)} text="Views" />
      <FetchedDialog isOpen={isOpen} onFailure={unfetched} part={dialog}>
        {({ ViewsDialog }) => <ViewsDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
      </FetchedDialog>
    </>
  );
}
