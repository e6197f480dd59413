import { AccessTokensSection } from "../auth/AccessTokensSection.tsx";
import { PasswordForm } from "../auth/PasswordForm.tsx";
import { SessionsSection } from "../auth/SessionsSection.tsx";

/** What only the owner of an account can do with it: password, sessions, tokens. */
export function OwnAccountSection() {
  return (
    <>
      <div className="own-account">
        <PasswordForm />
        <SessionsSection />
      </div>
      <AccessTokensSection />
    </>
  );
}
