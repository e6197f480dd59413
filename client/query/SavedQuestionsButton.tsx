import { Button, DialogBody } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SavedQuestionsButtonQueryQuery } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { useScreenQuery } from "../urql.ts";
import "./questionList.css";

const query = graphql(`
  query SavedQuestionsButtonQuery {
    mine: savedQueries(mine: true, first: 100) { nodes { id uuid name } }
    all: savedQueries(first: 100) { pageInfo { hasNextPage } nodes { id uuid name own ownerUserName } }
  }
`);

type ListProps = { title: string; nodes: { uuid: string; name: string; ownerUserName?: string }[] };

function SavedList({ title, nodes }: ListProps) {
  return nodes.length === 0 ? null : (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className="plain">
        {nodes.map(({ uuid, name, ownerUserName }) => (
          <li key={uuid}>
            <Link to={routes.savedQuery(uuid)}>{name}</Link>
            {ownerUserName === undefined ? null : <span className="note"> by {ownerUserName}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SavedLists({ mine, all }: SavedQuestionsButtonQueryQuery) {
  if (all.nodes.length === 0) return <p>None yet. “Save question” keeps the question that is open.</p>;
  return (
    <>
      <SavedList nodes={mine.nodes} title="My saved questions" />
      <SavedList nodes={all.nodes.filter(({ own }) => !own)} title="Shared questions" />
      {all.pageInfo.hasNextPage ? <p className="note">Find (Ctrl K) finds more by their names.</p> : null}
    </>
  );
}

function SavedQuestions() {
  const answer = useScreenQuery(query, {});
  return (
    <DialogBody>
      <div className="question-list stack">
        <QueryState query={answer} what="list of saved questions">
          {(lists) => <SavedLists {...lists} />}
        </QueryState>
      </div>
    </DialogBody>
  );
}

/** Opens a list of the saved questions: the person's own, and those that others share. */
export function SavedQuestionsButton() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button aria-haspopup="dialog" aria-label="Saved questions" onClick={() => setOpen(true)} text="Saved" />
      <ModalDialog isOpen={isOpen} onClose={close} title="Saved questions">
        <SavedQuestions />
        <DialogButtons onClose={close} />
      </ModalDialog>
    </>
  );
}
