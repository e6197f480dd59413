import type { Sorting } from "../list/DataTable.tsx";

type SortSelectProps = { sorting: Sorting; options: readonly { by: string; words: string }[] };

/** A choice of the order for lists without visible column headers: on a phone, or if the list is not a table. */
export function SortSelect({ sorting: { by, onSort }, options }: SortSelectProps) {
  return (
    <label className="list-choice">
      Sort by
      <select className="plain-select" onChange={(event) => onSort(event.currentTarget.value)} value={by ?? ""}>
        {by === undefined ? <option value="">Best match</option> : null}
        {options.flatMap((option) => [
          <option key={option.by} value={option.by}>
            {option.words}
          </option>,
          <option key={`-${option.by}`} value={`-${option.by}`}>
            {option.words}, falling
          </option>,
        ])}
      </select>
    </label>
  );
}
