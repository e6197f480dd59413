import { AccessTokensSection } from "../auth/AccessTokensSection.tsx";
import { PasswordForm } from "../auth/PasswordForm.tsx";
import { SecondFactorSection } from "../auth/SecondFactorSection.tsx";
import { SessionsSection } from "../auth/SessionsSection.tsx";

/** What only the owner of an account can do with it: password, sessions, second factor, tokens. */
export function OwnAccountSection() {
  return (
    <>
      <div className="own-account">
        <PasswordForm />
        <SessionsSection />
        <SecondFactorSection />
      </div>
      <AccessTokensSection />
    </>
  );
}
