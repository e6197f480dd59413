import { Button, Card } from "@blueprintjs/core";
import { useRef } from "react";
import { useSearchParams } from "react-router-dom";
import { TermButton } from "../glossary/TermButton.tsx";
import { PartnerChoice, PlaceControls } from "../dash/PlaceControls.tsx";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { allPartners } from "../dash/scope.ts";
import { explorerOf } from "../routes.ts";
import { useAddress } from "../ui/filter/listAddress.ts";
import { Page } from "../ui/page/Page.tsx";
import {
  addressOf,
  firsts,
  leasts,
  figureOf,
  isInOrder,
  keysOf,
  orderBeside,
  orders,
  ordersOf,
  persOf,
  type Question,
  questionIn,
  queryOf,
  rangesOf,
  ways,
  waysOf,
} from "./question.ts";
import { subjects } from "./questionSubjects.ts";
import { calendarKeys, type KeyName, keys } from "./questionKeys.ts";
import { PositionField } from "../facility/PositionField.tsx";
import { QuestionAnswerSection } from "./QuestionAnswerSection.tsx";
import { SiteFiltersSection } from "./SiteFiltersSection.tsx";
import { useNeeds } from "./useNeeds.ts";
import { QuestionExportButton } from "./QuestionExportButton.tsx";
import { SavedQuestionsButton } from "./SavedQuestionsButton.tsx";
import { SaveQuestionButton } from "./SaveQuestionButton.tsx";
import { UsualQuestionsButton } from "./UsualQuestionsButton.tsx";
import { useQuestionNames } from "./useQuestionNames.ts";
import "./QuestionsScreen.css";

type Change = (values: Readonly<Record<string, string | number | undefined>>) => void;
type Names = ReturnType<typeof useQuestionNames>["names"];

/** The parts of a question, each a choice that takes effect at once. */
function QuestionControls({ question, names, change }: { question: Question; names: Names; change: Change }) {
  const {
    subject,
    by,
    and,
    measure,
    per,
    way,
    from,
    fromName,
    range,
    provinceId,
    implementingPartnerId,
    order,
    first,
    least,
  } = question;
  const isOffered = useNeeds();
  const divisors = Object.entries(persOf(question)).filter(([name, one]) => isOffered(one) || name === per);
  const shown = waysOf(question);
  const { measures } = subjects[subject];
  const hasAreas = by === "area" || and === "area";
  const offered = keysOf(question).filter((key) => isOffered(keys[key]) || key === by || key === and);
  const keyOptions = offered.map((key) => ({ value: key as string, label: keys[key].label }));
  const others = offered.filter((key) => key !== by && !(calendarKeys.includes(key) && calendarKeys.includes(by)));
  return (
    <>
      <ChoiceField
        label="Count"
        onChange={(value) => change({ subject: value, measure: undefined, range: undefined })}
        options={Object.entries(subjects).map(([value, { label }]) => ({ value, label }))}
        value={subject as string}
      />
      <ChoiceField
        label="Figure"
        onChange={(value) => change({ measure: value })}
        options={Object.entries(measures)
          .filter(([name, one]) => name === measure || (isOffered(one) && (name !== "areaWorks" || hasAreas)))
          .map(([value, { label }]) => ({ value, label }))}
        value={measure}
      />
      {divisors.length > 0 ? (
        <ChoiceField
          label="Divided by"
          onChange={(value) => change({ per: value || undefined })}
          options={[
            { value: "", label: "Nothing" },
            ...divisors.map(([value, { label, each }]) => ({ value, label: each?.label ?? label })),
          ]}
          value={per ?? ""}
        />
      ) : null}
      {shown.length > 0 ? (
        <ChoiceField
          label="Shown as"
          onChange={(value) => change({ way: value || undefined, order: orderBeside(value, order) })}
          options={[
            { value: "", label: "The figure itself" },
            ...shown.map((value) => ({ value: value as string, label: ways[value] })),
          ]}
          value={(way as string | undefined) ?? ""}
        />
      ) : null}
      <ChoiceField
        label="By"
        onChange={(value) =>
          change({ by: value, ...(isInOrder(value as KeyName) === isInOrder(by) ? {} : { order: undefined }) })
        }
        options={keyOptions}
        value={by as string}
      />
      <ChoiceField
        label="And by"
        onChange={(value) => change({ and: value || undefined })}
        options={[
          { value: "", label: "Nothing else" },
          ...others.map((key) => ({ value: key as string, label: keys[key].label })),
        ]}
        value={(and as string | undefined) ?? ""}
      />
      {from === undefined ? null : (
        <PositionField
          label="Distance from a place"
          name={fromName}
          onPosition={(position, name) => {
            // A text that names no place leaves the place as it was.
            if (position || !name) change({ from: position || undefined, fromName: name });
          }}
          value={from}
        />
      )}
      <ChoiceField
        help={subject === "sites" ? "Other periods: count visits." : undefined}
        label="Period"
        onChange={(value) => change({ range: value || undefined })}
        options={Object.entries(rangesOf(question)).map(([value, label]) => ({
          value,
          label: `${label[0]!.toUpperCase()}${label.slice(1)}`,
        }))}
        value={range}
      />
      <SiteFiltersSection key={subject} question={question} />
      <PlaceControls
        names={{ ...names, province: undefined }}
        onPlace={({ provinceId: chosen }) => change({ provinceId: chosen })}
        scope={provinceId === undefined ? {} : { provinceId }}
      />
      <PartnerChoice
        all="All implementing partners"
        names={names}
        onPartner={(partner) => change({ partner: partner === allPartners ? undefined : partner })}
        partner={implementingPartnerId ?? allPartners}
      />
      <ChoiceField
        label="Order"
        onChange={(value) => change({ order: value })}
        options={ordersOf(question).map((value) => ({
          value: value as string,
          label: `${orders[value][0]!.toUpperCase()}${orders[value].slice(1)}`,
        }))}
        value={order as string}
      />
      <ChoiceField
        label="Show"
        onChange={(value) => change({ first: value || undefined })}
        options={[
          { value: 0, label: "All" },
          ...firsts.map((value) => ({ value: value as number, label: `The first ${value}` })),
        ]}
        value={first ?? 0}
      />
      {figureOf(question).of && order !== "name" ? (
        <ChoiceField
          label="Leave out"
          onChange={(value) => change({ least: value || undefined })}
          options={[
            { value: 0, label: "Nothing" },
            ...leasts.map((value) => ({ value: value as number, label: `Groups of fewer than ${value}` })),
          ]}
          value={least ?? 0}
        />
      ) : null}
    </>
  );
}

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
          <QuestionControls change={change} names={names} question={question} />
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
