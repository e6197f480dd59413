import { Button, Callout, Classes, DialogBody } from "@blueprintjs/core";
import { OfflineIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { showError, showMessage, showSuccess, showWarning } from "../../shell/toast/toaster.tsx";
import { BusyButton } from "../../ui/form/BusyButton.tsx";
import { DialogButtons } from "../../ui/form/DialogButtons.tsx";
import { FormAlert } from "../../ui/form/FormAlert.tsx";
import { UploadProgress } from "../../ui/form/UploadProgress.tsx";
import { Empty } from "../../ui/notice/Empty.tsx";
import { Failure } from "../../ui/notice/Failure.tsx";
import { Loading } from "../../ui/notice/Loading.tsx";
import { NotFoundNotice } from "../../ui/notice/NotFoundNotice.tsx";
import { Notice } from "../../ui/notice/Notice.tsx";
import { StalePart } from "../../ui/notice/StalePart.tsx";
import { QuestionDialog } from "../../ui/page/QuestionDialog.tsx";

const nothing = () => undefined;
const toasts = [
  { words: "The network is back", show: showMessage },
  { words: "Saved", show: showSuccess },
  { words: "The browser is old", show: showWarning },
  { words: "The server cannot be reached", show: showError },
];

/** What a screen says of its state, dialogs and toasts. */
export function StyleNoticesSection() {
  const [isAsked, setAsked] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  return (
    <>
      <div className="grid is-half">
        <Notice heading="This is not on the device" icon={<OfflineIcon />}>
          <p>It comes when the network is back.</p>
        </Notice>
        <Failure message="The server cannot be reached." onRetry={nothing} />
        <NotFoundNotice what="facility" />
        <Callout intent="warning">The clock of this device is two days behind.</Callout>
        <FormAlert message="The name and the code are required." />
        <Callout intent="success">12 facilities were imported.</Callout>
        <Empty>No facility here has such a name or code.</Empty>
        <UploadProgress finalising="The server is checking the file." label="Upload" percent={62} />
        <UploadProgress finalising="The server is checking the file." label="Upload to be checked" percent={100} />
      </div>
      {/* On request, because a screen that shows them has not settled. */}
      {isWaiting ? (
        <div className="stack">
          <Loading />
          <div className="row">
            <BusyButton intent="primary" isBusy text="Saving" />
          </div>
          <StalePart isStale>
            <p>Content while a newer answer is fetched.</p>
          </StalePart>
        </div>
      ) : (
        <div className="row">
          <Button onClick={() => setWaiting(true)} text="Show what waits" />
        </div>
      )}
      <div className={Classes.DIALOG}>
        <div className={Classes.DIALOG_HEADER}>
          <h3 className={Classes.HEADING}>Deactivate</h3>
        </div>
        <DialogBody>
          <p>The person can no longer sign in.</p>
        </DialogBody>
        <DialogButtons closing="Cancel" onClose={nothing}>
          <BusyButton intent="danger" isBusy={false} text="Deactivate" />
        </DialogButtons>
      </div>
      <div className="row">
        <Button onClick={() => setAsked(true)} text="Open a dialog" />
      </div>
      <QuestionDialog
        asked={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={async () => setAsked(false)}
        title="Close"
      >
        It closes itself.
      </QuestionDialog>
      <div className="row">
        {toasts.map(({ words, show }) => (
          <Button key={words} onClick={() => show(words)} text={`Toast: ${words}`} />
        ))}
      </div>
    </>
  );
}
