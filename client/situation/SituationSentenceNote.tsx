import { Tag } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import type { ModeScope } from "../routes.ts";
import { formatNumber } from "../ui/text/counted.ts";
import { percent, shareOf, signed } from "./situationFigures.ts";
import { type FigureName, figureLink } from "./situationLinks.ts";
import type { SituationAnswer } from "./SituationSection.tsx";

type Counted = { value: number; of?: number | null; notRecorded?: number | null; change?: number | null };

/** A count, as a link to the list that it counts. */
function Count({ name, value, scope }: { name: FigureName; value: number; scope: ModeScope }) {
  return (
    <Link className="situation-count" to={figureLink(name, scope)}>
      {formatNumber(value)}
    </Link>
  );
}

/** The change since the end of the previous quarter. */
function Change({ change }: { change: number | null | undefined }) {
  return change == null ? null : (
    <Tag minimal round>
      {signed(change)}
    </Tag>
  );
}

type RestProps = { of: FigureName; words: string };
type FigureProps = {
  name: FigureName;
  figure: Counted;
  of: string;
  scope: ModeScope;
  children: string;
  rest?: RestProps;
  unknown?: FigureName;
};

/** A link to the sites that the figure does not count, which need attention. */
function Rest({ count, of, words, scope }: RestProps & { count: number; scope: ModeScope }) {
  return count > 0 ? (
    <Link className="note" to={figureLink(of, scope)}>
      {formatNumber(count)} {words}
    </Link>
  ) : null;
}

function Figure({ name, figure, of, scope, children, rest, unknown }: FigureProps) {
  const share = shareOf(figure.value, figure.of);
  const notRecorded = figure.notRecorded ?? 0;
  return (
    <li>
      <span>
        <Count name={name} scope={scope} value={figure.value} />{" "}
        <span>
          of {formatNumber(figure.of ?? 0)} {of}
        </span>{" "}
        {children}
        {share === undefined ? "" : ` (${percent(share)})`}
      </span>{" "}
      <span className="situation-more row">
        <Change change={figure.change} />{" "}
        {rest ? <Rest {...rest} count={(figure.of ?? 0) - figure.value - notRecorded} scope={scope} /> : null}{" "}
        {unknown ? <Rest count={notRecorded} of={unknown} scope={scope} words="not recorded" /> : null}
      </span>
    </li>
  );
}

/**
 * The situation in one sentence: each figure with its denominator, share and change. What is not known yet is said in
 * words, not as zero.
 */
export function SituationSentenceNote({ scope, situation }: { scope: ModeScope; situation: SituationAnswer }) {
  const { facilities, assessed, functional, power, silent, oldVersion, newestLibraryVersion } = situation;
  if (facilities.value === 0)
    return (
      <p className="situation-figures">
        {scope.implementingPartnerId === undefined
          ? "No facilities are listed here yet."
          : "This partner supports no facility here yet."}
      </p>
    );
  return (
    <ul className="situation-figures stack is-close plain">
      <li>
        <span>
          <Count name="assessed" scope={scope} value={assessed.value} /> of{" "}
          <Count name="facilities" scope={scope} value={facilities.value} /> sites assessed (
          {percent(shareOf(assessed.value, assessed.of))})
        </span>{" "}
        <span className="situation-more row">
          <Change change={assessed.change} />{" "}
          <Rest count={facilities.value - assessed.value} of="neverAssessed" scope={scope} words="never assessed" />
        </span>
      </li>
      {assessed.value === 0 ? (
        <li>
          Nothing was assessed yet: the first visits show where SmartCare works, where there is power, and which
          versions run.
        </li>
      ) : (
        <>
          <Figure
            figure={functional}
            name="functional"
            of="assessed sites"
            rest={{ of: "notFunctional", words: "do not work" }}
            scope={scope}
            unknown="notRecordedFunctional"
          >
            work
          </Figure>
          <Figure
            figure={power}
            name="power"
            of="assessed sites"
            rest={{ of: "withoutPower", words: "without power" }}
            scope={scope}
            unknown="notRecordedPower"
          >
            have power
          </Figure>
        </>
      )}
      {silent.of === 0 ? (
        <li>No facility is expected to send TDBs yet.</li>
      ) : (
        <Figure figure={silent} name="silent" of="sites expected to send" scope={scope}>
          are overdue
        </Figure>
      )}
      {oldVersion.of === 0 ? null : (
        <Figure figure={oldVersion} name="oldVersion" of="sites with a known version" scope={scope}>
          {newestLibraryVersion == null ? "run an old version" : `run a version older than ${newestLibraryVersion}`}
        </Figure>
      )}
    </ul>
  );
}
