import { Button, Menu, MenuDivider, MenuItem, PopoverNext } from "@blueprintjs/core";
import type { ExplorerState } from "./explorerState.ts";
import type { SavedQuery } from "./savedQueries.ts";

export const ownerOf = ({ own, shared, ownerUserName }: SavedQuery): string =>
  own ? (shared ? "Yours, shared" : "Yours") : `Shared by ${ownerUserName}`;

/** Example queries and saved queries, to be opened in the editor. */
export function QuestionsMenu({ examples, saved, current, setCurrent, editors }: ExplorerState) {
  const items = (
    <Menu className="explorer-questions">
      <MenuDivider title="Questions to begin with" />
      {examples.map((example) => (
        <MenuItem
          key={example.name}
          multiline
          onClick={() => {
            editors?.open(example);
            setCurrent(null);
          }}
          text={example.title}
        />
      ))}
      <MenuDivider title={saved.length > 0 ? "Saved queries" : "Saved queries: none yet"} />
      {saved.map((one) => (
        <MenuItem
          active={one.uuid === current?.uuid}
          key={one.uuid}
          label={ownerOf(one)}
          multiline
          onClick={() => {
            editors?.open(one);
            setCurrent(one);
          }}
          text={one.name}
        />
      ))}
    </Menu>
  );
  return (
    // The focus goes to the editor while the menu closes.
    <PopoverNext
      animation="minimal"
      arrow={false}
      content={items}
      disabled={!editors}
      enforceFocus={false}
      placement="bottom-start"
      shouldReturnFocusOnClose={false}
    >
      <Button disabled={!editors} intent="primary" text="Questions" />
    </PopoverNext>
  );
}
