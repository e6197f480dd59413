import { useViewer } from "../session/viewer.ts";

/** The signed-in person and their partner. */
export function Person() {
  const { user } = useViewer();
  return (
    <p className="person">
      <span className="person-name">
        {user.firstName} {user.surname}
      </span>
      <span className="person-partner">{user.implementingPartner.implementingPartner}</span>
    </p>
  );
}
