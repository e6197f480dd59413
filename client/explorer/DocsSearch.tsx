import { DOC_EXPLORER_PLUGIN, DocExplorer, useDocExplorerActions } from "@graphiql/plugin-doc-explorer";
import { type GraphiQLPlugin, useSchemaStore } from "@graphiql/react";
import { useMemo, useState } from "react";

import { FieldsSection } from "./FieldsSection.tsx";
import { type DocsEntry, indexOf, searchDocs } from "./docsSearch.ts";

function summaryOf(text: string, found: number): string {
  if (text === "") return "";
  return found === 0 ? `Nothing is found for “${text}”.` : found === 1 ? "1 place" : `${found} places`;
}

/** Finds types and fields by name, description and synonyms. */
function DocsSearch() {
  const { schema } = useSchemaStore();
  const docs = useDocExplorerActions();
  const [text, setText] = useState("");
  const index = useMemo(() => (schema ? indexOf(schema) : []), [schema]);
  const found = useMemo(() => searchDocs(index, text), [index, text]);

  const open = ({ type, field }: DocsEntry) => {
    docs.reset();
    docs.push({ name: type.name, def: type });
    if (field) docs.push({ name: field.name, def: field });
    setText("");
  };
  return (
    <div className="explorer-docs-search" role="search">
      <label>
        Search the documentation
        <input onChange={({ currentTarget }) => setText(currentTarget.value)} placeholder="median, E-First, gap…" type="search" value={text} />
      </label>
      <p role="status">{summaryOf(text.trim(), found.length)}</p>
      {found.length > 0 && (
        <ul aria-label="Places in the documentation">
          {found.map((entry) => (
            <li key={entry.title}>
              <button onClick={() => open(entry)} type="button">
                <b>{entry.title}</b>
                <span>{entry.about}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** GraphiQL's documentation with our search in place of its own, which searches names only. */
export const documentation: GraphiQLPlugin = {
  ...DOC_EXPLORER_PLUGIN,
  content: () => (
    <>
      <DocsSearch />
      <FieldsSection />
      <DocExplorer />
    </>
  ),
};
