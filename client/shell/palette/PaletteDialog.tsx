import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Link, useNavigate } from "react-router-dom";
import { worklistNames, worklistKinds } from "../../../db/state.rules.ts";
import { may } from "../../../gateway/access/access.rules.ts";
import { isSearchText } from "../../../gateway/facility/searchText.rules.ts";
import type { PaletteQueryQuery } from "../../gql/graphql.ts";
import { routes } from "../../routes.ts";
import { counted } from "../../ui/text/counted.ts";
import { client } from "../../urql.ts";
import { entriesFor } from "../menu/Menu.tsx";
import { useViewer } from "../session/viewer.ts";
import { groupsOf, type Hit, isNamed, query } from "./palette.ts";
import "./PaletteDialog.css";

/** Screens that can be found by name, in addition to the entries of the menu. */
const moreScreens = [
  { title: "Home", to: routes.home() },
  { title: "All Facilities", to: routes.facilities() },
  { title: "Quarterly report", to: routes.report({}) },
  { title: "What changed", to: routes.changes({}) },
  ...worklistKinds.map((kind) => ({ title: `Work list: ${worklistNames[kind]}`, to: routes.worklist(kind) })),
];

const waitMs = 200;
const mostText = 128;

type Answered = { text: string; data?: PaletteQueryQuery | undefined; failure?: string };

/** The server's answer for exactly this text; undefined until it arrives. Each text is sent once, a moment after the last key. */
function useAnswer(text: string): Answered | undefined {
  const { privileges } = useViewer();
  const [answered, setAnswered] = useState<Answered>();
  useEffect(() => {
    let isGone = false;
    const ask = async () => {
      const variables = { text, named: text !== "", long: isSearchText(text), people: text !== "" && may(privileges, "manageUsers") };
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

/** One search field for everything: the arrow keys choose a result, Enter opens it, Escape closes the dialog. */
export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const base = useId();
  const navigate = useNavigate();
  const { privileges } = useViewer();
  const text = typed.trim();
  const answer = useAnswer(text);

  useLayoutEffect(() => {
    const shown = dialog.current!;
    const opener = document.activeElement;
    const tapped = ({ target }: MouseEvent) => {
      if (target === shown) onClose();
    };
    shown.addEventListener("click", tapped);
    shown.showModal();
    return () => {
      shown.removeEventListener("click", tapped);
      shown.close();
      if (opener instanceof HTMLElement && document.activeElement === document.body) opener.focus();
    };
  }, [onClose]);

  const screens = [...entriesFor(privileges).filter(({ isClosed }) => !isClosed), ...moreScreens]
    .filter(({ title }) => text === "" || isNamed(title, text))
    .map(({ title, to }) => ({ id: `screen-${to}`, title, to }));
  const groups = groupsOf(screens, answer?.data);
  const hits = groups.flatMap((group) => group.hits);
  const current = Math.min(chosen, hits.length - 1);
  const idOf = (index: number) => `${base}-${index}`;

  const open = (hit: Hit | undefined) => {
    if (!hit) return;
    onClose();
    navigate(hit.to);
  };
  const choose = (index: number) => {
    setChosen(index);
    document.getElementById(idOf(index))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: (current + 1) % hits.length, ArrowUp: (current - 1 + hits.length) % hits.length };
    const next = steps[event.key];
    if (next !== undefined && hits.length > 0) choose(next);
    else if (event.key === "Enter") open(hits[current]);
    else return;
    event.preventDefault();
  };

  return (
    <dialog aria-label="Find" className="palette" onClose={onClose} ref={dialog}>
      <div className="palette-box">
        <input
          aria-activedescendant={hits.length > 0 ? idOf(current) : undefined}
          aria-autocomplete="list"
          aria-controls={`${base}-list`}
          aria-expanded={hits.length > 0}
          aria-label="Find a place, facility, partner, person, screen or saved view"
          autoCapitalize="none"
          autoComplete="off"
          autoFocus
          className="palette-input"
          maxLength={mostText}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
          placeholder="Place, site, screen …"
          role="combobox"
          spellCheck={false}
          value={typed}
        />
        <button className="palette-close" onClick={onClose} type="button">
          Close
        </button>
      </div>
      <p className="palette-status" role="status">
        {statusOf(answer, hits, text)}
      </p>
      <div aria-label="Found" className="palette-list" id={`${base}-list`} role="listbox">
        {groups.map(({ name, hits: found }) => (
          <div aria-labelledby={`${base}-${name}`} className="palette-group" key={name} role="group">
            <div className="palette-group-name" id={`${base}-${name}`} role="presentation">
              {name}
            </div>
            {found.map((hit) => {
              const index = hits.indexOf(hit);
              return (
                <Link
                  aria-selected={index === current}
                  className="palette-hit"
                  id={idOf(index)}
                  key={hit.id}
                  onClick={onClose}
                  onMouseMove={() => setChosen(index)}
                  role="option"
                  tabIndex={-1}
                  to={hit.to}
                >
                  <span>{hit.title}</span>
                  {hit.note ? <span className="palette-note">{hit.note}</span> : null}
                </Link>
              );
            })}
          </div>
        ))}
      </div>
    </dialog>
  );
}
