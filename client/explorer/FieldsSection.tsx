import { useDocExplorer } from "@graphiql/plugin-doc-explorer";
import { useSchemaStore } from "@graphiql/react";
import { getNamedType, type GraphQLObjectType, isObjectType, isType } from "graphql";
import { useId, useSyncExternalStore } from "react";

import { chooseField, chosenFields } from "./chooseFields.ts";
import { useExplorer } from "./explorerState.ts";

/** The type whose fields can be chosen at the open page of the documentation: that type, or the type of that field. */
function useOpenType(): GraphQLObjectType | undefined {
  const { schema } = useSchemaStore();
  const stack = useDocExplorer();
  const types = stack.toReversed().map(({ def }) => (def === undefined ? undefined : isType(def) ? def : getNamedType(def.type)));
  return types.find((type) => isObjectType(type)) ?? schema?.getQueryType() ?? undefined;
}

/** The present query in the editor. */
function useEditedQuery(): string | null {
  const { editors } = useExplorer();
  return useSyncExternalStore(
    (onEdit) => editors?.onEdit(onEdit) ?? (() => {}),
    () => editors?.text() ?? null,
  );
}

/** Click-to-build: the fields of the type that the documentation shows, to be added to the query or removed from it. */
export function FieldsSection() {
  const { schema } = useSchemaStore();
  const { editors, say } = useExplorer();
  const type = useOpenType();
  const query = useEditedQuery();
  const id = useId();
  if (!schema || !editors || !type || query === null) return null;
  const chosen = chosenFields(schema, query, type.name);

  const choose = (field: string, isChosen: boolean) => {
    const made = chooseField(schema, query, { type: type.name, field, isChosen });
    if (made === null) say(`No list leads to ${type.name} without further values: write that part of the query yourself.`, true);
    else {
      editors.write(made);
      say(`${type.name}.${field} was ${isChosen ? "put into" : "taken out of"} the query.`);
    }
  };
  return (
    <details className="explorer-fields">
      <summary>Choose fields of {type.name}</summary>
      {chosen === null ? (
        <p>The query has a mistake: mend it first.</p>
      ) : (
        <ul aria-label={`Fields of ${type.name}`}>
          {Object.values(type.getFields()).map(({ name, description, deprecationReason }) =>
            deprecationReason != null && !chosen.has(name) ? null : (
              <li key={name}>
                <label title={description ?? undefined}>
                  <input aria-describedby={`${id}${name}`} checked={chosen.has(name)} onChange={({ currentTarget }) => choose(name, currentTarget.checked)} type="checkbox" />
                  {name}
                </label>
                <span hidden id={`${id}${name}`}>{description}</span>
              </li>
            ),
          )}
        </ul>
      )}
    </details>
  );
}
