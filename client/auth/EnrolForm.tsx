import { SecondFactorForm } from "./SecondFactorForm.tsx";

/**
 * Sets up a second factor at an administrator's first sign-in, if one is required. Its code is fetched when it is
 * needed.
 */
export function EnrolForm({ password, onDone }: { password: string; onDone: () => Promise<void> }) {
  return (
    <section className="login-form stack" aria-labelledby="enrol-heading">
      <h2 id="enrol-heading">Second factor</h2>
      <p>Administrators need a second factor here. Set it up now: nothing else works before.</p>
      <SecondFactorForm password={password} onDone={() => void onDone()} />
    </section>
  );
}
