import { useViewer } from "../shell/viewer.ts";
import { Page } from "../ui/Page.tsx";
import "./UserScreen.css";

/** The signed-in person's own profile. */
export function UserScreen() {
  const { user } = useViewer();
  const rows = [
    ["User name", user.userName],
    ["First name", user.firstName],
    ["Middle name", user.middleName],
    ["Surname", user.surname],
    ["Implementing partner", user.implementingPartner.implementingPartner],
  ];
  return (
    <Page title="User Profile">
      <section className="card user-details" aria-label="Details">
        <dl>
          {rows.map(([label, value]) =>
            value ? (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ) : null,
          )}
        </dl>
      </section>
      <p className="user-note">Editing, privileges, assessments and uploads are not built yet.</p>
    </Page>
  );
}
