import { counted } from "../reference/counted.ts";
import { PagedList } from "../reference/PagedList.tsx";
import { DataTable } from "../ui/DataTable.tsx";
import type { Column } from "../ui/DataTable.tsx";
import { QueryState } from "../ui/QueryState.tsx";
import type { ScreenQuery } from "../urql.ts";

type TdbsTableProps<Row> = {
  answer: ScreenQuery<{ tdbs?: { totalCount: number; nodes: Row[] } | null }>;
  columns: Column<Row>[];
  /** The search parameter that holds the page. */
  pageName: string;
  /** Said where there is none. */
  empty: string;
};

/** A page of a list of transport databases, with the way to the others. */
export function TdbsTable<Row extends { id: string }>({ answer, columns, pageName, empty }: TdbsTableProps<Row>) {
  return (
    <QueryState query={answer} what="list of TDBs">
      {({ tdbs }) =>
        tdbs ? (
          <PagedList total={tdbs.totalCount} shown={tdbs.nodes.length} label="Pages of TDBs" pageName={pageName} empty={empty}>
            <DataTable caption={counted(tdbs.totalCount, "TDB")} columns={columns} rowKey={({ id }) => id} rows={tdbs.nodes} />
          </PagedList>
        ) : null
      }
    </QueryState>
  );
}
