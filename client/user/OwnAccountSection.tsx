import { AccessTokensSection } from "../auth/AccessTokensSection.tsx";
import { PasswordForm } from "../auth/PasswordForm.tsx";
import { SecondFactorSection } from "../auth/SecondFactorSection.tsx";
import { SessionsSection } from "../auth/SessionsSection.tsx";

/** The parts of an account for its owner only: password, sessions, second factor, tokens. */
export function OwnAccountSection() {
  return (
    <>
      <div className="grid">
        <PasswordForm />
        <SessionsSection />
        <SecondFactorSection />
      </div>
      <AccessTokensSection />
    </>
  );
}
