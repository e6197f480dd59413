import { Switch } from "@blueprintjs/core";
import { useState } from "react";
import { privilegeLabels } from "../../gateway/user/privilege.rules.ts";
import { administratorsGrantable, grantable } from "../../gateway/user/user.rules.ts";
import { readFragment } from "../gql/fragment-masking.ts";
import type { FragmentType } from "../gql/fragment-masking.ts";
import { graphql } from "../gql/gql.ts";
import { askSession } from "../shell/session/session.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { useViewer } from "../shell/session/viewer.ts";
import { DataTable } from "../ui/list/DataTable.tsx";
import type { Column } from "../ui/list/DataTable.tsx";
import { mutate } from "../urql.ts";

const fragment = graphql(`
  fragment PrivilegesTable_User on User {
    id
    uuid
    privileges { administrator editAssessments viewAssessments uploadTdbs accessDownloads manageUsers editSelf editRegistry }
  }
`);

const updateMutation = graphql(`
  mutation PrivilegesTable_update($input: UpdateUserInput!) {
    updateUser(input: $input) {
      user { id ...PrivilegesTable_User ...UserSettingsDialog_User }
      errors { path message }
    }
  }
`);

type Name = (typeof administratorsGrantable)[number];

/** The reason why the switches cannot be used; undefined if they can. */
function reason(
  isOwn: boolean,
  target: { administrator: boolean },
  viewer: { administrator: boolean },
): string | undefined {
  if (viewer.administrator)
    return target.administrator ? "An administrator may do everything, whatever is set here." : undefined;
  if (isOwn) return "Your own privileges are given by others.";
  return target.administrator ? "Only an administrator can change an administrator." : undefined;
}

const columnsOf = (
  privileges: Record<Name, boolean>,
  isDisabled: boolean,
  toggle: (name: Name, value: boolean) => Promise<void>,
): Column<Name>[] => [
  { id: "privilege", header: "Privilege", rowHeader: true, cell: (name) => privilegeLabels[name].title },
  { id: "allows", header: "Allows to", phone: "line", cell: (name) => privilegeLabels[name].allows },
  {
    id: "given",
    header: "Given",
    phone: "end",
    cell: (name) => (
      <Switch
        aria-label={privilegeLabels[name].title}
        checked={privileges[name]}
        disabled={isDisabled}
        onChange={(event) => void toggle(name, event.currentTarget.checked)}
      />
    ),
  },
];

/** A person's privileges, each with a switch. A switch takes effect at once. */
export function PrivilegesTable({ user, isOwn }: { user: FragmentType<typeof fragment>; isOwn: boolean }) {
  const { uuid, privileges } = readFragment(fragment, user);
  const viewer = useViewer();
  const [isSaving, setSaving] = useState(false);
  const note = reason(isOwn, privileges, viewer.privileges);
  const isFixed = note !== undefined && !viewer.privileges.administrator;

  // The switches are not disabled while a change is saved, because a disabled switch would lose the focus.
  const toggle = async (name: Name, value: boolean) => {
    if (isSaving) return;
    setSaving(true);
    const { data, failure } = await mutate(updateMutation, { input: { uuid, privileges: { [name]: value } } });
    setSaving(false);
    if (data?.updateUser.user) {
      showSuccess("Successfully updated record");
      if (isOwn) await askSession();
      return;
    }
    showError("Could not update the user record");
    const message = failure ?? data?.updateUser.errors[0]?.message;
    if (message) showError(message);
  };

  return (
    <div className="stack user-privileges">
      <DataTable
        caption="Privileges"
        columns={columnsOf(privileges, isFixed, toggle)}
        rowKey={(name) => name}
        rows={viewer.privileges.administrator ? administratorsGrantable : grantable}
      />
      {note ? <p className="note">{note}</p> : null}
    </div>
  );
}
