import { Button } from "@blueprintjs/core";
import { useState } from "react";
import { ViewsDialog } from "./ViewsDialog.tsx";

/** Opens the dialog of saved views. */
export function ViewsButton() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)} text="Views" />
      <ViewsDialog isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}
