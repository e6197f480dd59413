import { Button, Card } from "@blueprintjs/core";
import { useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { explorerOf } from "../routes.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { Fetched } from "../ui/network/Fetched.tsx";
import { fetchedPart } from "../ui/network/fetchedPart.ts";
import { Page } from "../ui/page/Page.tsx";
import { addressOf, questionIn, queryOf } from "./question.ts";
import { QuestionAnswerSection } from "./QuestionAnswerSection.tsx";
import type { Change } from "./QuestionControls.tsx";
import { QuestionExportButton } from "./QuestionExportButton.tsx";
import { SavedQuestionsButton } from "./SavedQuestionsButton.tsx";
import { SaveQuestionButton } from "./SaveQuestionButton.tsx";
import { UsualQuestionsButton } from "./UsualQuestionsButton.tsx";
import { useQuestionNames } from "./useQuestionNames.ts";
import "./QuestionsScreen.css";

/** The answer is painted before the fields, which a phone shows below it. */
const controlsPart = fetchedPart(() => import("./QuestionControls.tsx"));

/** A question about the country, built by clicks: its answer as a chart and a table, and as a GraphQL query. */
export function QuestionsScreen() {
  const [url] = useSearchParams();
  const write = useAddress(true);
  const question = questionIn(url);
  const { names, sentence } = useQuestionNames(question);
  const savedUuid = url.get("saved");
  const query = queryOf(question);
  const controls = useRef<HTMLElement>(null);
  const showControls = () => {
    controls.current?.scrollIntoView();
    controls.current?.querySelector("select")?.focus({ preventScroll: true });
  };
  // What the new question lacks leaves the address, such as a filter that its subject does not have.
  const change: Change = (values) =>
    write((now) => {
      const next = { ...Object.fromEntries(addressOf(questionIn(now))), ...values };
      const given = Object.entries(next).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      );
      const none = Object.fromEntries([...now.keys()].map((name) => [name, ""]));
      const saved = now.get("saved") ?? "";
      return { ...none, ...Object.fromEntries(addressOf(questionIn(new URLSearchParams(given)))), saved };
    });
  return (
    <Page
      actions={
        <>
          <UsualQuestionsButton />
          <SavedQuestionsButton />
          <QuestionExportButton question={question} title={sentence} />
          <SaveQuestionButton query={query} savedUuid={savedUuid} sentence={sentence} />
        </>
      }
      help={
        <>
          <TermButton name="Question" term="question" />
          <Button aria-label="Change the question" className="questions-change" onClick={showControls} text="Change" />
        </>
      }
      title="Questions"
    >
      <div className="questions">
        <Card className="questions-answer stack">
          <h2 className="questions-sentence">{sentence}</h2>
          <QuestionAnswerSection question={question} />
        </Card>
        <section aria-label="The question" className="questions-controls screen-only" ref={controls}>
          <Fetched part={controlsPart}>
            {({ QuestionControls }) => <QuestionControls change={change} names={names} question={question} />}
          </Fetched>
        </section>
      </div>
      <details className="screen-only">
        <summary>The same as a GraphQL query</summary>
        <pre className="questions-query">{query}</pre>
        <p>
          An analyst can go on with it in the <a href={explorerOf()}>explorer</a>.
        </p>
      </details>
    </Page>
  );
}
