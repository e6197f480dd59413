import { useEditorContext, useExecutionContext } from "@graphiql/react";
import { useEffect, useRef } from "react";

import type { Editors } from "./explorerState.ts";

type Editor = NonNullable<ReturnType<typeof useEditorContext>>["variableEditor"];

/** Gives an editor an accessible name, makes its text scrollable by keyboard, and lets Tab leave it. */
function makeReachable(editor: Editor, name: string): void {
  if (!editor) return;
  editor.getInputField().setAttribute("aria-label", name);
  const scroller = editor.getScrollerElement();
  scroller.tabIndex = 0;
  scroller.setAttribute("role", "group");
  scroller.setAttribute("aria-label", `${name}, text`);
  const keys = editor.getOption("extraKeys");
  editor.setOption("extraKeys", { ...(typeof keys === "object" ? keys : {}), Tab: false, "Shift-Tab": false });
  // It was measured before its gutters had their width.
  editor.refresh();
}

/** Rendered within GraphiQL to pass its editors to the page around it. Shows nothing. */
export function EditorsBridge({ onEditors }: { onEditors: (editors: Editors) => void }) {
  const { queryEditor, variableEditor, responseEditor } = useEditorContext({ nonNull: true });
  const execution = useExecutionContext({ nonNull: true });
  const latest = useRef(execution);
  useEffect(() => {
    latest.current = execution;
  });

  useEffect(() => {
    makeReachable(queryEditor, "Query");
    makeReachable(variableEditor, "Variables");
    makeReachable(responseEditor, "Answer");
  }, [queryEditor, variableEditor, responseEditor]);

  useEffect(() => {
    if (!queryEditor || !variableEditor || !responseEditor) return;
    const listeners = new Set<() => void>();
    const edited = () => {
      for (const listener of listeners) listener();
    };
    for (const editor of [queryEditor, variableEditor]) editor.on("change", edited);
    onEditors({
      run: () => latest.current.run(),
      onEdit(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      read() {
        const text = variableEditor.getValue();
        try {
          const variables = text.trim() === "" ? null : (JSON.parse(text) as Record<string, unknown>);
          const query = queryEditor.getValue();
          const name = queryEditor.operationName;
          return { query, variables, operationName: name && query.includes(name) ? name : null };
        } catch {
          throw new Error("The variables are not JSON.");
        }
      },
      hold: (query) => queryEditor.getValue() === query && variableEditor.getValue().trim() === "",
      open({ query, variables }) {
        queryEditor.setValue(query);
        variableEditor.setValue(
          variables && Object.keys(variables).length > 0 ? JSON.stringify(variables, null, 2) : "",
        );
        responseEditor.setValue("");
        queryEditor.focus();
      },
    });
    return () => {
      for (const editor of [queryEditor, variableEditor]) editor.off("change", edited);
    };
  }, [onEditors, queryEditor, variableEditor, responseEditor]);
  return null;
}
