import { Button, Intent } from "@blueprintjs/core";
import { useState } from "react";
import { builtInSystems } from "../../db/identifierSystems.rules.ts";
import { graphql } from "../gql/gql.ts";
import type { SystemsTabQueryQuery } from "../gql/graphql.ts";
import { useMay } from "../shell/session/viewer.ts";
import { showError, showSuccess } from "../shell/toast/toaster.tsx";
import { type Column, DataTable } from "../ui/list/DataTable.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { QuestionDialog } from "../ui/page/QuestionDialog.tsx";
import { useSubject } from "../ui/form/useSubject.ts";
import { mutate, screenLoader, useScreenQuery } from "../urql.ts";
import { SystemDialog } from "./SystemDialog.tsx";

const query = graphql(`
  query SystemsTabQuery {
    identifierSystems { system name pattern isUnique }
  }
`);

export const loader = screenLoader(query, () => ({}));
const removeMutation = graphql(`
  mutation SystemsTab_remove($system: String!) {
    removeIdentifierSystem(system: $system) { errors { path message } }
  }
`);

type System = NonNullable<SystemsTabQueryQuery["identifierSystems"]>[number];
const isAdded = ({ system }: System) => !builtInSystems.some((one) => one.system === system);

const columns: Column<System>[] = [
  { id: "name", header: "System", rowHeader: true, cell: ({ name }) => name },
  { id: "key", header: "Name to programs", cell: ({ system }) => <code>{system}</code> },
  { id: "pattern", header: "Form of an identifier", cell: ({ pattern }) => (pattern === null ? "any text" : <code>{pattern}</code>) },
  { id: "unique", header: "Of one facility at a time", cell: ({ isUnique }) => (isUnique ? "Yes" : "No") },
];
const actions = (change: (system: System) => void, remove: (system: System) => void): Column<System> => ({
  id: "actions",
  header: "Change",
  headerHidden: true,
  cell: (system) =>
    isAdded(system) ? (
      <span className="row">
        <Button aria-label={`Change ${system.name}`} onClick={() => change(system)} text="Change" />
        <Button aria-label={`Remove ${system.name}`} onClick={() => remove(system)} text="Remove" />
      </span>
    ) : (
      "Built in"
    ),
});

/** The systems with identifiers for facilities. Administrators add systems, and change and remove added ones. */
export function SystemsTab() {
  const mayManage = useMay("manageIdentifierSystems");
  const answer = useScreenQuery(query, {});
  /** the one that is changed; null: a new one */
  const [edited, setEdited] = useState<System | null>();
  const { about: removed, isOpen, open, close } = useSubject<System>();
  const [isBusy, setBusy] = useState(false);
  const remove = async ({ system, name }: System) => {
    setBusy(true);
    const { data, failure } = await mutate(removeMutation, { system });
    setBusy(false);
    close();
    const message = failure ?? data?.removeIdentifierSystem.errors[0]?.message;
    if (message !== undefined) return showError(message);
    showSuccess(`${name} is removed`);
    answer.reload();
  };
  return (
    <QueryState query={answer} what="list of systems">
      {({ identifierSystems }) => (
        <div className="stack">
          <p className="note">A facility has any number of identifiers, each of one of these systems. Facilities are found by them.</p>
          {mayManage ? (
            <div className="row">
              <Button onClick={() => setEdited(null)} text="Add system" />
            </div>
          ) : null}
          <DataTable
            caption="Systems of identifiers"
            captionHidden
            columns={mayManage ? [...columns, actions(setEdited, open)] : columns}
            rowKey={({ system }) => system}
            rows={identifierSystems ?? []}
          />
          {edited === undefined ? null : (
            <SystemDialog
              known={identifierSystems ?? []}
              onClose={() => setEdited(undefined)}
              onSaved={(name) => {
                setEdited(undefined);
                showSuccess(`Saved ${name}`);
                answer.reload();
              }}
              system={edited}
            />
          )}
          <QuestionDialog intent={Intent.DANGER} isBusy={isBusy} isOpen={isOpen} onClose={close} onConfirm={() => removed && void remove(removed)} title="Remove system">
            {removed?.name} is removed. Only a system of which no facility has an identifier can be.
          </QuestionDialog>
        </div>
      )}
    </QueryState>
  );
}
