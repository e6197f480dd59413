import { Button, DialogBody, InputGroup } from "@blueprintjs/core";
import { useState } from "react";
import { Link } from "react-router-dom";
import { explorerOf, routes } from "../routes.ts";
import { DialogButtons } from "../ui/form/DialogButtons.tsx";
import { ModalDialog } from "../ui/page/ModalDialog.tsx";
import { addressOf, partsOf, type Question, questionIn, sentenceOf } from "./question.ts";
import { useNeeds } from "./useNeeds.ts";
import { usualQuestions } from "./usualQuestions.ts";
import "./questionList.css";

/** How people say what a sentence says otherwise: "per month", "the worst". */
const otherWords = ({ order }: Question) => `per ${order.startsWith("lowest") ? "worst" : "most"}`;

/** The questions under each heading whose sentence has all words of a text, of plurals also the singular. */
function useFound(text: string) {
  const isOffered = useNeeds();
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/s$/, ""));
  return Object.entries(usualQuestions).flatMap(([title, addresses]) => {
    const found = addresses
      .map((address) => questionIn(new URLSearchParams(address)))
      .filter((one) => partsOf(one).every(isOffered))
      .map((one) => ({ address: addressOf(one), sentence: sentenceOf(one), others: otherWords(one) }))
      .filter(({ sentence, others }) => {
        const said = `${title} ${sentence} ${others}`.toLowerCase();
        return words.every((word) => said.includes(word));
      });
    return found.length > 0 ? [{ title, found }] : [];
  });
}

function UsualQuestions({ onChoose }: { onChoose: () => void }) {
  const [typed, setTyped] = useState("");
  const groups = useFound(typed);
  return (
    <DialogBody>
      <div className="question-list stack">
        <InputGroup
          aria-label="Find a question"
          onValueChange={setTyped}
          placeholder="Find by a word, such as power"
          type="search"
          value={typed}
        />
        {groups.length === 0 ? <p>No question has these words.</p> : null}
        {groups.map(({ title, found }) => (
          <section aria-label={title} key={title}>
            <h2>{title}</h2>
            <ul className="plain">
              {found.map(({ address, sentence }) => (
                <li key={sentence}>
                  <Link onClick={onChoose} to={routes.questions(address)}>
                    {sentence}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
        <p className="note">
          More, for which a query is written, are in the menu of the <a href={explorerOf()}>explorer</a>.
        </p>
      </div>
    </DialogBody>
  );
}

/** Opens the questions to begin with, under plain headings. */
export function UsualQuestionsButton() {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} text="Examples" title="Questions to begin with" />
      <ModalDialog className="is-wide" isOpen={isOpen} onClose={close} title="Questions to begin with">
        <UsualQuestions onChoose={close} />
        <DialogButtons onClose={close} />
      </ModalDialog>
    </>
  );
}
