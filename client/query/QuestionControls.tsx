import { PartnerChoice, PlaceControls } from "../dash/PlaceControls.tsx";
import { ChoiceField } from "../dash/ChoiceField.tsx";
import { allPartners } from "../dash/scope.ts";
import { PositionField } from "../facility/PositionField.tsx";
import {
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
  rangesOf,
  ways,
  waysOf,
} from "./question.ts";
import { calendarKeys, type KeyName, keys } from "./questionKeys.ts";
import { subjects } from "./questionSubjects.ts";
import { SiteFiltersSection } from "./SiteFiltersSection.tsx";
import { useNeeds } from "./useNeeds.ts";
import type { useQuestionNames } from "./useQuestionNames.ts";

export type Change = (values: Readonly<Record<string, string | number | undefined>>) => void;
type Names = ReturnType<typeof useQuestionNames>["names"];

/** The parts of a question, each a choice that takes effect at once. */
export function QuestionControls({ question, names, change }: { question: Question; names: Names; change: Change }) {
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
