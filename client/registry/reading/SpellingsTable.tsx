import { HTMLSelect } from "@blueprintjs/core";
import { graphql } from "../../gql/gql.ts";
import type { SpellingsTableQueryQuery } from "../../gql/graphql.ts";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { counted, formatNumber } from "../../ui/text/counted.ts";
import { useScreenQuery } from "../../urql.ts";
import { type ReadPlace, spellingKey } from "./listReading.ts";

const query = graphql(`
  query SpellingsTableQuery {
    provinces(first: 100) { nodes { id provinceId name districts(first: 100) { nodes { id districtId name } } } }
  }
`);

/** The most spellings that are shown: the others are unknown places in the review. */
const mostShown = 100;
const manners = { UNKNOWN: "not known", ALIKE: "almost the same name", CHOSEN: "chosen" } as const;

type SpellingsTableProps = {
  places: readonly ReadPlace[];
  /** the names that were chosen and not read yet, by the key of the spelling */
  chosen: Readonly<Record<string, string>>;
  isFixed: boolean;
  onChoose: (key: string, means: string) => void;
};
type Provinces = SpellingsTableQueryQuery["provinces"]["nodes"];

const columnsOf = (
  { places, chosen, isFixed, onChoose }: SpellingsTableProps,
  provinces: Provinces,
): Column<ReadPlace>[] => {
  const meantBy = (place: ReadPlace) => chosen[spellingKey(place)] ?? place.means ?? "";
  /** The names among which a spelling can be: provinces, or the districts of its province. */
  const namesFor = ({ province, district }: ReadPlace): string[] => {
    if (district === null) return provinces.map(({ name }) => name);
    const spelt = places.find((one) => one.district === null && one.province === province);
    const within = spelt ? meantBy(spelt) : province;
    const own = provinces.find(({ name }) => name === within);
    return (own ? [own] : provinces).flatMap(({ districts }) => districts.nodes.map(({ name }) => name));
  };
  const optionsOf = (place: ReadPlace) => {
    const [means, names] = [meantBy(place), namesFor(place)];
    const offered = means === "" || names.includes(means) ? names : [means, ...names];
    return ["", ...offered].map((value) => ({ value, label: value || "Choose a place" }));
  };
  const mannerOf = (place: ReadPlace) => (spellingKey(place) in chosen ? "to be read again" : manners[place.manner]);
  const kindOf = ({ province, district }: ReadPlace) =>
    district === null ? "province" : `district${province ? `, ${province}` : ""}`;
  return [
    {
      id: "spelling",
      header: "In the list",
      rowHeader: true,
      cell: (place) => (
        <>
          {place.district ?? place.province}
          <span className="note is-line wide-only">{kindOf(place)}</span>
        </>
      ),
    },
    { id: "kind", header: "Kind", phone: "line", isPhoneOnly: true, cell: kindOf },
    {
      id: "means",
      header: "Means",
      phone: "end",
      cell: (place) => (
        <div>
          <HTMLSelect
            aria-label={`${place.district ?? place.province} means`}
            disabled={isFixed}
            onChange={({ currentTarget }) => onChoose(spellingKey(place), currentTarget.value)}
            options={optionsOf(place)}
            value={meantBy(place)}
          />
          <span className="note is-line wide-only">{mannerOf(place)}</span>
        </div>
      ),
    },
    { id: "manner", header: "How", phone: "line", isPhoneOnly: true, cell: mannerOf },
    { id: "rows", header: "Rows", numeric: true, phone: "labelled", cell: ({ rows }) => formatNumber(rows) },
  ];
};

/** Spellings of places that are no known names, each with the place that it means. */
export function SpellingsTable(props: SpellingsTableProps) {
  const { data } = useScreenQuery(query, {});
  const more = props.places.length - mostShown;
  return (
    <>
      <DataTable
        caption="Spellings of places"
        captionHidden
        columns={columnsOf(props, data?.provinces.nodes ?? [])}
        rowKey={spellingKey}
        rows={props.places.slice(0, mostShown)}
      />
      {more > 0 ? <p className="note">and {counted(more, "more spelling")}</p> : null}
    </>
  );
}
