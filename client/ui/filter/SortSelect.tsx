import { HTMLSelect } from "@blueprintjs/core";
import { useId } from "react";
import type { Sorting } from "../list/DataTable.tsx";
import type { Orders } from "./listSort.ts";

const days = new Set(["created", "lastLogin", "lastAssessed", "assessed", "uploaded", "when"]);
const texts = new Set(
  ["name", "hmisCode", "district", "province", "implementingPartner", "mode", "facility", "userName", "surname"].concat(
    ["who", "what", "outcome", "about", "address"],
  ),
);

/** How the descending order by a key is called. */
function descending(key: string): string {
  if (days.has(key)) return "newest first";
  return texts.has(key) ? "Z to A" : "highest first";
}

/** A choice of the order for lists without visible column headers: on a phone, or if the list is not a table. */
export function SortSelect({ sorting: { by, onSort }, orders }: { sorting: Sorting; orders: Orders }) {
  const id = useId();
  const options = Object.entries(orders).flatMap(([value, label]) => [
    { value, label },
    { value: `-${value}`, label: `${label} (${descending(value)})` },
  ]);
  return (
    <span className="list-choice note row screen-only">
      <label htmlFor={id}>Sort by</label>
      <HTMLSelect
        id={id}
        onChange={(event) => onSort(event.currentTarget.value)}
        options={by === undefined ? [{ value: "", label: "Best match" }, ...options] : options}
        value={by ?? ""}
      />
    </span>
  );
}
