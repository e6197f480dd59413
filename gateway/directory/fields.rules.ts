/** DHIS2's field selection (`fields=id,name,parent[id,name]`): which properties of an object the answer contains. */

/**
 * The selected properties by name, each with the selection within its object; null: the usual properties of that
 * object.
 */
type Selection = { names: Map<string, Selection | null>; presets: Set<string>; without: Set<string> };

export const fieldsWords =
  "must be names with commas between them, as id,name,parent[id,name]; transformers such as ~rename(…) are not known";
const deepest = 4;
const identifiable = ["id", "name", "displayName", "code", "created", "lastUpdated"];
/** The properties that each preset selects. Presets that are not in this list select all. */
const presets = new Map<string, (name: string, value: unknown) => boolean>([
  [":identifiable", (name) => identifiable.includes(name)],
  [":nameable", (name) => [...identifiable, "shortName", "description"].includes(name)],
  [":simple", (_name, value) => typeof value !== "object"],
]);
const isPreset = (token: string): boolean =>
  ["*", ":all", ":owner", ":persisted"].includes(token) || presets.has(token);

/** Splits a list at its commas, except those within brackets. Undefined if the brackets do not match. */
function partsOf(text: string): string[] | undefined {
  const parts = [""];
  let depth = 0;
  for (const sign of text) {
    depth += sign === "[" ? 1 : sign === "]" ? -1 : 0;
    if (depth < 0) return undefined;
    if (sign === "," && depth === 0) parts.push("");
    else parts.push(parts.pop()! + sign);
  }
  return depth === 0 ? parts.map((part) => part.trim()) : undefined;
}

/** Parses a selection; undefined if the text is not a valid one. */
export function selectionOf(text: string, depth = 0): Selection | undefined {
  const selection: Selection = { names: new Map(), presets: new Set(), without: new Set() };
  const parts = depth < deepest ? partsOf(text) : undefined;
  if (!parts) return undefined;
  for (const part of parts) {
    const [, not, name = "", inner] = /^(!?)([\w:*]+)(?:\[(.*)\])?$/s.exec(part) ?? [];
    const below = inner === undefined ? null : selectionOf(inner, depth + 1);
    if (below === undefined || name === "" || (!/^\w+$/.test(name) && !isPreset(name))) return undefined;
    if (not) selection.without.add(name);
    else if (isPreset(name)) selection.presets.add(name);
    else selection.names.set(name, below);
  }
  return selection;
}

type Properties = Record<string, unknown>;

/** The selected properties of an object. `usual`: the properties of an inner object for which no selection is given. */
export function selected(
  properties: Properties,
  { names, presets: asked, without }: Selection,
  usual: Record<string, readonly string[]>,
): Properties {
  const isTaken = (name: string, value: unknown) =>
    names.has(name) || [...asked].some((preset) => presets.get(preset)?.(name, value) ?? true);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => {
      if (value === undefined || without.has(name) || !isTaken(name, value)) return [];
      const below = names.get(name);
      if (below && typeof value === "object" && value !== null)
        return [[name, selected(value as Properties, below, usual)]];
      const known = usual[name];
      return [
        [
          name,
          known
            ? Object.fromEntries(Object.entries(value as Properties).filter(([inner]) => known.includes(inner)))
            : value,
        ],
      ];
    }),
  );
}
