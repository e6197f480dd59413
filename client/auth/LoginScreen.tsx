import { Callout, Intent } from "@blueprintjs/core";
import { useEffect, useState } from "react";
import { productName } from "../shell/frame/Brand.tsx";
import { DemonstrationNote } from "../shell/session/DemonstrationNote.tsx";
import { Footer } from "../shell/frame/Footer.tsx";
import { Mark } from "../shell/frame/Mark.tsx";
import { ThemeButton } from "../shell/theme/ThemeButton.tsx";
import { holdsOthersWork } from "../store/store.ts";
import { LoginForm } from "./LoginForm.tsx";
import "./LoginScreen.css";

/**
 * Says, when nobody is signed in, that this device stores unsent work and how it gets sent, and nothing else about it.
 */
function SealedNote() {
  const [isSealed, setSealed] = useState(false);
  useEffect(() => {
    void holdsOthersWork().then(setSealed);
  }, []);
  if (!isSealed) return null;
  return (
    <Callout className="login-form" intent={Intent.WARNING} role="status">
      Sealed work waits on this device. It is sent when the person who saved it signs in here.
    </Callout>
  );
}

/** The only screen for somebody who is not signed in. */
export function LoginScreen() {
  useEffect(() => {
    document.title = productName;
  }, []);

  return (
    <div className="login">
      <header className="login-head stack">
        <Mark />
        <h1 className="login-title">{productName}</h1>
        <p className="login-lead">Where and how the national electronic health record runs, facility by facility.</p>
      </header>
      <div className="login-body">
        <DemonstrationNote />
        <main className="login-main">
          <LoginForm />
          <SealedNote />
        </main>
        <div className="login-foot row is-spread">
          <ThemeButton />
          <Footer />
        </div>
      </div>
    </div>
  );
}
