import { Button } from "@blueprintjs/core";
import { AddIcon } from "@blueprintjs/icons";
import { useState } from "react";
import { type LoaderFunction, useSearchParams } from "react-router-dom";
import { fileTypeHeadings, fileTypes } from "../../gateway/download/download.rules.ts";
import { graphql } from "../gql/gql.ts";
import { guarded } from "../shell/session/guard.ts";
import { useMay } from "../shell/session/viewer.ts";
import { Empty } from "../ui/notice/Empty.tsx";
import { Page } from "../ui/page/Page.tsx";
import { offsetOf } from "../ui/list/pageOffset.ts";
import { Pager } from "../ui/list/Pager.tsx";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { screenLoader, useScreenQuery } from "../urql.ts";
import { AddFileDialog } from "./AddFileDialog.tsx";
import { DownloadsTable } from "./DownloadsTable.tsx";
import "./DownloadsScreen.css";

const query = graphql(`
  query DownloadsScreenQuery($offset: Int) {
    downloads(first: 100, offset: $offset, sort: UPLOADED_DESC) {
      totalCount
      nodes { id fileType ...DownloadsTable_Download }
    }
  }
`);

/** The most that the server returns at once, so that a group is seldom divided between pages. */
const pageSize = 100;
const read = (url: URLSearchParams) => ({ offset: offsetOf(url, "page", pageSize) });

const guard = guarded("accessDownloads");
const start = screenLoader(query, ({ url }) => read(url));

/** Checks the right, and starts the list's query. */
export const loader: LoaderFunction = async (args) => (await guard(args)) ?? start(args);

/** Installers, upgraders, patches and other files to download. */
export function DownloadsScreen() {
  const [url] = useSearchParams();
  const mayAdd = useMay("addDownloads");
  const [isAdding, setIsAdding] = useState(false);
  const answer = useScreenQuery(query, read(url));
  return (
    <Page
      title="Downloads"
      actions={
        mayAdd ? <Button icon={<AddIcon />} intent="primary" onClick={() => setIsAdding(true)} text="Add file" /> : null
      }
    >
      <QueryState query={answer} what="list of files">
        {({ downloads }) => (
          <div className="stack is-apart">
            {downloads && downloads.totalCount > 0 ? (
              fileTypes.map((fileType) => {
                const rows = downloads.nodes.filter((node) => node.fileType === fileType);
                return (
                  <div className="downloads-group stack" key={fileType}>
                    <h2>{fileTypeHeadings[fileType]}</h2>
                    {rows.length > 0 ? (
                      <DownloadsTable caption={fileTypeHeadings[fileType]} rows={rows} onChange={answer.reload} />
                    ) : (
                      <p className="soft">None yet.</p>
                    )}
                  </div>
                );
              })
            ) : (
              <Empty>There are no files to download yet.</Empty>
            )}
            <Pager label="Pages of files" pageSize={pageSize} total={downloads?.totalCount ?? 0} />
          </div>
        )}
      </QueryState>
      {mayAdd ? <AddFileDialog isOpen={isAdding} onClose={() => setIsAdding(false)} onAdded={answer.reload} /> : null}
    </Page>
  );
}
