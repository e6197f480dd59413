import { Card, Tag } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { routes } from "../../routes.ts";
import { ShareBar } from "../../ui/chart/small/ShareBar.tsx";
import { Chips } from "../../ui/filter/Chips.tsx";
import { type Column, DataTable } from "../../ui/list/DataTable.tsx";
import { Pager } from "../../ui/list/Pager.tsx";
import { Fact, FactList } from "../../ui/page/FactList.tsx";
import { UrlTabs } from "../../ui/page/UrlTabs.tsx";
import { formatNumber } from "../../ui/text/counted.ts";

type Site = { name: string; place: string; works: string; version: string; share: number; visits: number };

const sites: Site[] = [
  {
    name: "Chikankata Hospital",
    place: "Southern › Chikankata",
    works: "yes",
    version: "4.3.1",
    share: 92,
    visits: 12,
  },
  { name: "Monze Mission Hospital", place: "Southern › Monze", works: "no", version: "4.2.5", share: 8, visits: 1204 },
  { name: "Namwala Urban Clinic", place: "Southern › Namwala", works: "", version: "", share: 0, visits: 0 },
];

const tones: Record<string, [tone: string, words: string]> = {
  yes: ["good", "works"],
  no: ["bad", "does not work"],
  "": ["unknown", "not recorded"],
};

function Works({ works }: { works: string }) {
  const [tone, words] = tones[works]!;
  return <span className={tone === "unknown" ? "soft" : tone}>{words}</span>;
}

const columns: Column<Site>[] = [
  {
    id: "name",
    header: "Site",
    rowHeader: true,
    sort: "name",
    cell: ({ name }) => <Link to={routes.facilityList({ search: name })}>{name}</Link>,
  },
  { id: "place", header: "Place", sort: "place", cell: ({ place }) => place },
  { id: "works", header: "Works", cell: ({ works }) => <Works works={works} /> },
  { id: "version", header: "Version", oneLine: true, cell: ({ version }) => version || "–" },
  {
    id: "share",
    header: "Power",
    cell: ({ share }) => <ShareBar share={share} text={`${share} %`} title={`${share} of 100 assessed sites`} />,
  },
  { id: "visits", header: "Visits", numeric: true, cell: ({ visits }) => formatNumber(visits) },
];
/** On a phone two lines a row. */
const lines = columns.map((column): Column<Site> => {
  if (column.id === "works") return { ...column, phone: "end" };
  return column.id === "place" || column.id === "version" ? { ...column, phone: "line" } : column;
});

const tabs = ["Details", "Past Assessments", "Uploaded TDBs"].map((title) => ({
  id: title,
  title,
  panel: () => `The panel of ${title}.`,
}));

const nothing = () => undefined;

/** Filters, tables, tabs, tags and facts. */
export function StyleListsSection() {
  return (
    <>
      <UrlTabs label="Examples of tabs" tabs={tabs} />
      <Chips
        chips={[
          { name: "stylePower", words: "Power: does not work" },
          { name: "styleVersion", words: "Version older than 4.3.1" },
        ]}
        onDropped={nothing}
      />
      <div className="row is-close">
        <Tag minimal>Waiting</Tag>
        <Tag intent="success" minimal>
          Received
        </Tag>
        <Tag intent="warning" minimal>
          No data for 103 days
        </Tag>
        <Tag intent="danger" minimal>
          Stopped working
        </Tag>
        <Tag intent="primary">New</Tag>
        <Tag minimal round>
          12
        </Tag>
      </div>
      <DataTable
        caption="Sites, two lines a row on a phone"
        columns={lines}
        rowKey={({ name }) => name}
        rows={sites}
        selection={{ isSelected: ({ works }) => works === "no", nameOf: ({ name }) => name, onSelect: nothing }}
        sorting={{ by: "name", onSort: nothing }}
      />
      <DataTable
        caption="Sites, cards on a phone"
        columns={columns}
        groupOf={({ works }) => (works ? "Assessed" : "Never assessed")}
        marking={{ marked: "Monze Mission Hospital", onMark: nothing }}
        rowKey={({ name }) => name}
        rows={sites}
      />
      <Pager label="Examples of pages" pageName="stylePage" total={240} />
      <Card>
        <FactList>
          <Fact label="Code" unknown="not recorded">
            40213
          </Fact>
          <Fact label="Phone" unknown="not recorded">
            {null}
          </Fact>
          <Fact isWide label="Comment" unknown="not recorded">
            The generator is repaired.
          </Fact>
        </FactList>
      </Card>
    </>
  );
}
