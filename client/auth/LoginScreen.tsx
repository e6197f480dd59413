import { useEffect, useState } from "react";
import { productName } from "../shell/Brand.tsx";
import { DemonstrationNote } from "../shell/DemonstrationNote.tsx";
import { Footer } from "../shell/Footer.tsx";
import { Mark } from "../shell/Mark.tsx";
import { ThemeButton } from "../shell/ThemeButton.tsx";
import { holdsOthersWork } from "../store/store.ts";
import { LoginForm } from "./LoginForm.tsx";
import "./LoginScreen.css";

/** All that is there for somebody who is not signed in. */
export function LoginScreen() {
  const [isSealed, setSealed] = useState(false);
  useEffect(() => {
    document.title = productName;
    void holdsOthersWork().then(setSealed);
  }, []);

  return (
    <div className="login">
      <header className="login-head">
        <Mark />
        <h1 className="login-title">{productName}</h1>
        <p className="login-lead">Where and how the national electronic health record runs, facility by facility.</p>
      </header>
      <div className="login-body">
        <DemonstrationNote />
        <main className="login-main">
          <LoginForm />
          {isSealed ? (
            <p className="login-sealed" role="status">
              Sealed work waits on this device. It is sent when the person who saved it signs in here.
            </p>
          ) : null}
        </main>
        <div className="login-foot">
          <ThemeButton />
          <Footer />
        </div>
      </div>
    </div>
  );
}
