import { Card } from "@blueprintjs/core";
import { useNavigate } from "react-router-dom";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { showSuccess } from "../shell/toast/toaster.tsx";
import { Page } from "../ui/page/Page.tsx";
import { RegisteredFieldsForm } from "./RegisteredFieldsForm.tsx";
import { callRegistry, paths } from "./registryCalls.ts";
import "./registry.css";

export const loader = guarded("editRegistry");

/** Adds a facility to the registry; its page follows. */
export function NewFacilityScreen() {
  const navigate = useNavigate();
  return (
    <Page title="Add facility">
      <Card aria-label="The new facility" className="stack" role="region">
        <RegisteredFieldsForm
          action="Add facility"
          onReadAgain={() => {}}
          onSave={(body) => callRegistry("POST", paths.add(), { body })}
          onSaved={({ body }) => {
            showSuccess(`Added ${body.facilityName}`);
            navigate(routes.facility(body.facilityUuid));
          }}
        />
      </Card>
    </Page>
  );
}
