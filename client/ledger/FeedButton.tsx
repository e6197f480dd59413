import { Button } from "@blueprintjs/core";
import { type ComponentProps, useState } from "react";
import { showError } from "../shell/toast/toaster.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { FetchedDialog } from "../ui/network/FetchedDialog.tsx";
import type { FeedDialog } from "./FeedDialog.tsx";

const dialog = fetchedPart(() => import("./FeedDialog.tsx"));

/** Opens the dialog that makes the address of a feed. */
export function FeedButton(feed: Pick<ComponentProps<typeof FeedDialog>, "asked" | "name">) {
  const [isOpen, setOpen] = useState(false);
  const unfetched = (message: string) => {
    setOpen(false);
    showError(message);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)} text="Feed" />
      <FetchedDialog isOpen={isOpen} onFailure={unfetched} part={dialog}>
        {(file) => <file.FeedDialog {...feed} isOpen={isOpen} onClose={() => setOpen(false)} />}
      </FetchedDialog>
    </>
  );
}
