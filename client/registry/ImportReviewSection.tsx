import { Button } from "@blueprintjs/core";
import type { ImportScreenQueryQuery, RegistryImportDecision, RegistryImportKind } from "../gql/graphql.ts";
import { PagedList } from "../ui/list/PagedList.tsx";
import { UrlTabs } from "../ui/page/UrlTabs.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { ImportRowsTable } from "./ImportRowsTable.tsx";
import { importKinds, type ImportList, listTitles, warned } from "./listWords.ts";

export const lists: ImportList[] = [...importKinds, warned];
/** The filter of the rows, as the calls take it. */
export const rowsOf = (list: ImportList) => (list === warned ? { warned: true } : { kind: list });

export type Decide = (
  decision: RegistryImportDecision,
  which: { lines?: number[]; kind?: RegistryImportKind; warned?: boolean; all?: boolean },
) => void;
export type ImportKinds = NonNullable<ImportScreenQueryQuery["registryImport"]>["kinds"];

type ImportReviewSectionProps = {
  kinds: ImportKinds;
  rows: NonNullable<ImportScreenQueryQuery["registryImportRows"]>;
  list: ImportList;
  isOpen: boolean;
  isBusy: boolean;
  onDecide: Decide;
};

/** The second step: each row beside the stored values, by kind, and the decisions about them. */
export function ImportReviewSection({ kinds, rows, list, isOpen, isBusy, onDecide }: ImportReviewSectionProps) {
  const counts = kinds.find((each) => each.kind === list);
  const rowCount = (name: ImportList) =>
    kinds.reduce((sum, one) => sum + (name === warned ? one.warned : one.kind === name ? one.rows : 0), 0);
  const title = listTitles[list];
  const changing = kinds.find(({ kind }) => kind === "IDENTIFIER_CHANGE");
  const panel = () => (
    <div className="stack">
      {isOpen && list !== "SAME" && (counts ? counts.acceptable : rows.totalCount) > 0 ? (
        <div className="row">
          {list === "IDENTIFIER_CHANGE" ? null : (
            <Button
              disabled={isBusy}
              onClick={() => onDecide("ACCEPTED", rowsOf(list))}
              text={`Accept all ${title.toLowerCase()}`}
            />
          )}
          <Button
            disabled={isBusy}
            onClick={() => onDecide("REJECTED", rowsOf(list))}
            text={`Reject all ${title.toLowerCase()}`}
          />
          {counts ? (
            <span role="status">
              {formatNumber(counts.accepted)} accepted, {formatNumber(counts.rejected)} rejected,{" "}
              {formatNumber(counts.undecided)} undecided
            </span>
          ) : null}
        </div>
      ) : null}
      <PagedList empty="There are no such rows." isSized label={`Pages of ${title.toLowerCase()}`} list={rows}>
        {(shown) => (
          <ImportRowsTable
            caption={title}
            isBusy={isBusy}
            isOpen={isOpen}
            namesKind={list === warned}
            onDecide={(row, decision) => onDecide(decision, { lines: [row.line] })}
            rows={shown}
          />
        )}
      </PagedList>
    </div>
  );
  return (
    <>
      {isOpen && changing && changing.undecided > 0 ? (
        <p className="note">
          {`${counted(changing.undecided, "row")} would change or remove an identifier of a facility. `}
          “Accept all” leaves them out: decide on each under “{listTitles.IDENTIFIER_CHANGE}”.
        </p>
      ) : null}
      <UrlTabs
        clears={["page"]}
        label="Kinds of rows"
        name="kind"
        tabs={lists.map((name) => ({
          id: name,
          title: `${listTitles[name]} (${formatNumber(rowCount(name))})`,
          panel,
        }))}
      />
    </>
  );
}
