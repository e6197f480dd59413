import { useEffect, useState } from "react";
import { useWatch } from "react-hook-form";
import type { Control, FieldPath, FieldPathValue, FieldValues } from "react-hook-form";

/** How near to its limit a text is counted: its last fifth, and the last characters of a short one, such as a phone number. */
const nearness = (limit: number) => limit * (limit < 50 ? 0.1 : 0.2);
const pauseMs = 1000;

type LengthCountProps<Values extends FieldValues> = {
  control: Control<Values>;
  name: FieldPath<Values>;
  /** how many characters there may be, those at the ends that are blank not counted */
  limit: number;
};

/** How many characters a text may still have, once it comes near its limit. Rendered again only when its own text changes. */
export function LengthCount<Values extends FieldValues>({ control, name, limit }: LengthCountProps<Values>) {
  const compute = (text: FieldPathValue<Values, FieldPath<Values>>) => limit - (typeof text === "string" ? text.trim().length : 0);
  const left = useWatch({ control, name, compute });
  return left <= nearness(limit) ? <Count left={left} /> : null;
}

function Count({ left }: { left: number }) {
  const many = Math.abs(left);
  const text = `${many} ${many === 1 ? "character" : "characters"} ${left < 0 ? "too many" : "left"}`;
  // Read out when the person pauses, not at each key.
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span className={left < 0 ? "length-count is-over" : "length-count"}>
      <span aria-hidden="true">{text}</span>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </span>
  );
}
