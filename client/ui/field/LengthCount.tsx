import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { Control, FieldPath, FieldPathValue, FieldValues } from "react-hook-form";

/**
 * From how many remaining characters on the count is shown: a fifth of the limit, or a tenth for a short text such as a
 * phone number.
 */
const nearness = (limit: number) => limit * (limit < 50 ? 0.1 : 0.2);
const pauseMs = 1000;

type LengthCountProps<Values extends FieldValues> = {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** how many characters there may be, without blanks at both ends */
  limit: number;
};

/** How many characters are left, shown when a text comes near its limit. Rendered again only when this text changes. */
export function LengthCount<Values extends FieldValues>({ control, name, limit }: LengthCountProps<Values>) {
  const compute = (text: FieldPathValue<Values, FieldPath<Values>>) =>
    limit - (typeof text === "string" ? text.trim().length : 0);
  const left = useWatch({ control, name, compute });
  return left <= nearness(limit) ? <Count left={left} /> : null;
}

function Count({ left }: { left: number }) {
  const many = Math.abs(left);
  const text = `${many} ${many === 1 ? "character" : "characters"} ${left < 0 ? "too many" : "left"}`;
  // Announced when the person pauses, not at each key.
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className={left < 0 ? "bad" : undefined}>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </span>
  );
}
