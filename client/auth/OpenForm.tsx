import { openSealed } from "../shell/session/session.ts";
import { SecretForm } from "./SecretForm.tsx";
import "./LoginForm.css";

/** Opens what this device stores with the person's password, without network. */
export function OpenForm() {
  const send = async (password: string) => {
    const isOpen = await openSealed(password).catch(() => undefined);
    if (isOpen === undefined)
      return { path: "", message: "This device cannot store that it is open. Free some space and try again." };
    return isOpen
      ? undefined
      : { path: "password", message: "This is not the password with which you last signed in on this device." };
  };
  return <SecretForm isSignIn name="password" onSend={send} text="Open" />;
}
