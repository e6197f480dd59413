import { Button, Classes } from "@blueprintjs/core";
import { type ItemListRenderer, type ItemRenderer, Omnibar } from "@blueprintjs/select";
import { type Ref, useEffect, useMemo, useState } from "react";
import { Link, useNavigate } from "react-router-dom";
import { worklistNames, worklistKinds } from "../../../db/situation/state.rules.ts";
import { may } from "../../../gateway/access/access.rules.ts";
import { isSearchText } from "../../../gateway/facility/searchText.rules.ts";
import { terms } from "../../ui/term/terms.ts";
import type { PaletteQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { asDialog } from "../../ui/page/asDialog.ts";
import { counted } from "../../ui/text/counted.ts";
import { client } from "../../urql.ts";
import { entriesFor } from "../menu/Menu.tsx";
import { useViewer } from "../session/viewer.ts";
import { groupsOf, type Hit, isNamed, query } from "./palette.ts";
import "@blueprintjs/select/lib/css/blueprint-select.css";
import "./PaletteDialog.css";

/** Screens that can be found by name, in addition to the entries of the menu. */
const moreScreens = [
  { title: "All Facilities", to: routes.facilities() },
  { title: "Quarterly report", to: routes.report({}) },
  ...worklistKinds.map((kind) => ({ title: `Work list: ${worklistNames[kind]}`, to: routes.worklist(kind) })),
];

const waitMs = 200;
const mostText = 128;

type Answered = { text: string; data?: PaletteQueryQuery | undefined; failure?: string };

/**
 * The server's answer for exactly this text; undefined until it arrives. Each text is sent once, a moment after the
 * last key.
 */
function useAnswer(text: string): Answered | undefined {
  const { privileges } = useViewer();
  const [answered, setAnswered] = useState<Answered>();
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      const variables = {
        text,
        named: text !== "",
        long: isSearchText(text),
        people: text !== "" && may(privileges, "manageUsers"),
      };
      const { data, error } = await client.query(query, variables).toPromise();
      if (isGone) return;
      const failure = error?.networkError ? "The server cannot be reached." : "The server could not answer.";
      setAnswered({ text, data, ...(error && !data ? { failure } : {}) });
    };
    const waiting = setTimeout(() => void ask(), text === "" ? 0 : waitMs);
    return () => {
      isGone = true;
      clearTimeout(waiting);
    };
  }, [text, privileges]);
  return answered?.text === text ? answered : undefined;
}

function statusOf(answer: Answered | undefined, hits: readonly Hit[], text: string): string {
  if (!answer) return "Searching …";
  if (answer.failure) return answer.failure;
  if (hits.length > 0) return `${counted(hits.length, "result")} found`;
  return text === "" ? "" : `Nothing is named like “${text}”.`;
}

const listId = "palette-list";
const optionId = (hit: Hit) => `${listId}-${hit.id}`;
const becomeDialog = asDialog("Find");

/** One search field for everything: the arrow keys choose a result, Enter opens it, Escape closes the dialog. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [chosenId, setChosenId] = useState<string>();
  const navigate = useNavigate();
  const { privileges } = useViewer();
  const text = typed.trim();
  const answer = useAnswer(text);

  /** After a choice the focus goes to the new screen; after closing the dialog it goes back to where it was. */
  useEffect(() => {
    const opener = document.activeElement;
    return () => {
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, []);

  const groups = useMemo(() => {
    const screens = [...entriesFor(privileges).filter(({ isClosed }) => !isClosed), ...moreScreens]
      .filter(({ title }) => text === "" || isNamed(title, text))
      .map(({ title, to }) => ({ id: `screen-${title.replaceAll(/\W+/g, "-")}`, title, to }));
    const found = Object.entries(terms).filter(([, { name }]) => text !== "" && isNamed(name, text));
    return groupsOf(
      screens,
      answer?.data,
      found.map(([term, { name }]) => ({ id: `term-${term}`, title: name, to: routes.glossary(term) })),
    );
  }, [privileges, text, answer]);
  const hits = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const chosen = hits.find(({ id }) => id === chosenId) ?? hits[0] ?? null;

  const open = ({ to }: Hit) => {
    onClose();
    navigate(to);
  };

  const renderHit: ItemRenderer<Hit> = (hit, { modifiers, ref }) => (
    <Link
      aria-selected={modifiers.active}
      className={`palette-hit ${Classes.MENU_ITEM} ${modifiers.active ? Classes.ACTIVE : ""}`}
      id={optionId(hit)}
      key={hit.id}
      onClick={onClose}
      ref={ref as Ref<HTMLAnchorElement>}
      role="option"
      tabIndex={-1}
      to={hit.to}
    >
      <span>{hit.title}</span>
      {hit.note ? <span className={Classes.MENU_ITEM_LABEL}>{hit.note}</span> : null}
    </Link>
  );

  const renderList: ItemListRenderer<Hit> = ({ itemsParentRef, renderItem }) => (
    <>
      <p className="palette-status" role="status">
        {statusOf(answer, hits, text)}
      </p>
      <div
        aria-label="Found"
        aria-live="off"
        className={Classes.MENU}
        id={listId}
        ref={itemsParentRef as Ref<HTMLDivElement>}
        role="listbox"
      >
        {groups.map(({ name, hits: found }) => (
          <div aria-labelledby={`${listId}-${name}`} key={name} role="group">
            <div className="palette-group-name" id={`${listId}-${name}`} role="presentation">
              {name}
            </div>
            {found.map((hit) => renderItem(hit, hits.indexOf(hit)))}
          </div>
        ))}
      </div>
    </>
  );

  return (
    <Omnibar<Hit>
      activeItem={chosen}
      className="palette"
      inputProps={{
        "aria-activedescendant": chosen ? optionId(chosen) : undefined,
        "aria-autocomplete": "list",
        "aria-controls": listId,
        "aria-expanded": hits.length > 0,
        "aria-label": "Find a place, facility, partner, person, screen, saved question, view or term",
        autoCapitalize: "none",
        autoComplete: "off",
        maxLength: mostText,
        placeholder: "Place, site, screen …",
        rightElement: <Button onClick={onClose} text="Close" variant="minimal" />,
        role: "combobox",
        spellCheck: false,
      }}
      isOpen
      itemListRenderer={renderList}
      itemRenderer={renderHit}
      items={hits}
      itemsEqual="id"
      onActiveItemChange={(hit) => setChosenId(hit?.id)}
      onClose={onClose}
      onItemSelect={open}
      onQueryChange={(query) => {
        setTyped(query);
        setChosenId(undefined);
      }}
      overlayProps={{ onOpening: becomeDialog, shouldReturnFocusOnClose: false }}
      query={typed}
      resetOnQuery={false}
    />
  );
}
