/**
 * Blueprint's style is one file for all its components. Rules of components that no screen has are left out of the
 * build, a third of the first visit's style. blueprintStyle.test.ts holds the list to what the screens import.
 */

/** The beginnings of class names, without Blueprint's prefix, by the components that have them. */
export const unusedComponents: Record<string, readonly string[]> = {
  Breadcrumbs: ["breadcrumb"],
  CardList: ["card-list"],
  CheckboxCard: ["control-card"],
  CompoundTag: ["compound-tag"],
  ControlGroup: ["control-group"],
  EditableText: ["editable-text"],
  EntityTitle: ["entity-title"],
  Hotkeys: ["hotkey", "key-combo", "key"],
  MultistepDialog: ["multistep-dialog", "dialog-step"],
  Navbar: ["navbar"],
  NumericInput: ["numeric-input"],
  PanelStack: ["panel-stack"],
  Section: ["section"],
  Slider: ["slider", "multi-slider", "range-slider"],
  TagInput: ["tag-input"],
  Tooltip: ["tooltip"],
  Tree: ["tree"],
};

const unused = new RegExp(String.raw`\.bp6-(?:${Object.values(unusedComponents).flat().join("|")})(?![a-z])`);
const isUnused = (selector: string): boolean => unused.test(selector.replaceAll(/:not\([^)]*\)/g, ""));

type Rule = { selectors: string[]; source?: { input: { file?: string } }; remove: () => void };

/** A plugin of PostCSS. */
export const blueprintStyle = {
  postcssPlugin: "blueprint-style",
  Rule(rule: Rule) {
    if (!/@blueprintjs\/core\/lib\/css\/blueprint\.css/.test(rule.source?.input.file ?? "")) return;
    const selectors = rule.selectors.filter((selector) => !isUnused(selector));
    if (selectors.length === 0) rule.remove();
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  },
};
