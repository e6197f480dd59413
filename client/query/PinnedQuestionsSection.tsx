import { Card } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { routes } from "../routes.ts";
import { useIsNear } from "../ui/network/fetchedPart.ts";
import { QuestionAnswerSection } from "./QuestionAnswerSection.tsx";
import { questionOf } from "./question.ts";
import "./PinnedQuestionsSection.css";

type Pin = { uuid: string; name: string; query: string };

/** A question with its chart, which is asked for when it comes near the visible part of the page. */
function Pinned({ uuid, name, query }: Pin) {
  const [place, isNear] = useIsNear(false);
  const question = questionOf(query);
  return (
    <Card className="stack is-close" compact ref={place}>
      <h3>
        <Link to={routes.savedQuery(uuid)}>{name}</Link>
      </h3>
      {question && isNear ? <QuestionAnswerSection isShort question={question} /> : null}
    </Card>
  );
}

/** The saved questions that the person pinned to Home, each with its chart. */
export function PinnedQuestionsSection({ pins }: { pins: readonly Pin[] }) {
  return (
    <section aria-label="Pinned questions" className="stack is-close">
      <h2>Pinned questions</h2>
      <ul className="pinned-questions plain">
        {pins.map((pin) => (
          <li key={pin.uuid}>
            <Pinned {...pin} />
          </li>
        ))}
      </ul>
    </section>
  );
}
