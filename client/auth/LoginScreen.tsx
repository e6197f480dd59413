import { useEffect } from "react";
import { productName } from "../shell/Brand.tsx";
import { DemonstrationNote } from "../shell/DemonstrationNote.tsx";
import { Footer } from "../shell/Footer.tsx";
import { Mark } from "../shell/Mark.tsx";
import { ThemeButton } from "../shell/ThemeButton.tsx";
import { LoginForm } from "./LoginForm.tsx";
import { SealedNote } from "./SealedNote.tsx";
import "./LoginScreen.css";

/** All that is there for somebody who is not signed in. */
export function LoginScreen() {
  useEffect(() => {
    document.title = productName;
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
          <SealedNote />
        </main>
        <div className="login-foot">
          <ThemeButton />
          <Footer />
        </div>
      </div>
    </div>
  );
}
