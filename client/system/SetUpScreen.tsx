import { Button, Card, ProgressBar } from "@blueprintjs/core";
import { TickCircleIcon } from "@blueprintjs/icons";
import { Link } from "react-router-dom";
import { graphql } from "../gql/gql.ts";
import type { SetUpScreenQueryQuery, SetUpStepName } from "../gql/graphql.ts";
import { routes } from "../routes.ts";
import { guarded } from "../shell/session/guard.ts";
import { QueryState } from "../ui/notice/QueryState.tsx";
import { Page } from "../ui/page/Page.tsx";
import { counted, formatNumber } from "../ui/text/counted.ts";
import { screenLoader, useScreenQuery } from "../urql.ts";
import "./SetUpScreen.css";

const query = graphql(`
  query SetUpScreenQuery {
    setUp { step count of isDone }
  }
`);

type Step = NonNullable<SetUpScreenQueryQuery["setUp"]>[number];

/** How a step is done: on a screen, or with a command by whoever runs the server. */
type Way = { action: string; to: string } | { command: string };

const command = (options: string) => ({ command: `npm run load -- ${options}` });

const steps: Record<SetUpStepName, { title: string; found: (step: Step) => string } & Way> = {
  PLACES: {
    title: "Provinces and districts",
    found: ({ count }) => counted(count, "place"),
    ...{ action: "Open places", to: routes.registry("districts") },
  },
  OUTLINES: {
    title: "Outlines for maps",
    found: ({ count, of }) => `${formatNumber(count)} of ${counted(of ?? 0, "place")}`,
    ...command("--boundaries provinces.geojson --boundaries districts.geojson"),
  },
  FACILITIES: {
    title: "Facilities",
    found: ({ count }) => counted(count, "open facility", "open facilities"),
    ...{ action: "Import a list", to: routes.registryImports("new") },
  },
  PARTNERS: {
    title: "Partners linked to facilities",
    found: ({ count, of }) => `${formatNumber(count)} of ${counted(of ?? 0, "open facility", "open facilities")}`,
    ...{ action: "Link partners", to: routes.withoutPartner() },
  },
  VERSIONS: {
    title: "SmartCare versions",
    found: ({ count }) => counted(count, "version"),
    ...command("--versions versions.csv"),
  },
  SERVICE_AREAS: {
    title: "Service areas",
    found: ({ count }) => counted(count, "service area"),
    ...command("--service-areas service-areas.csv"),
  },
  PEOPLE: {
    title: "People",
    found: ({ count }) => counted(count, "account"),
    ...{ action: "Add a person", to: routes.addUser() },
  },
  FIELD_LISTS: {
    title: "First field list",
    found: ({ count }) => counted(count, "list"),
    ...{ action: "Choose sites", to: routes.facilities() },
  },
};

function StepRow({ step: one }: { step: Step }) {
  const { title, found, ...way } = steps[one.step];
  return (
    <li>
      <Card className="set-up-step row is-spread" compact>
        <div className="row">
          {one.isDone ? (
            <TickCircleIcon className="good" title="Done" size={20} />
          ) : (
            <span aria-label="To do" className="set-up-open soft" role="img" title="To do">
              ○
            </span>
          )}
          <div>
            <strong>{title}</strong>
            <div className="soft">{found(one)}</div>
          </div>
        </div>
        {"to" in way ? (
          <Link className="bp6-button" to={way.to}>
            {way.action}
          </Link>
        ) : (
          <details className="set-up-way">
            <summary>Load from a file</summary>
            Whoever runs the server loads it with this command: <code>{way.command}</code>
          </details>
        )}
      </Card>
    </li>
  );
}

export const loader = guarded(
  "viewSystem",
  screenLoader(query, () => ({})),
);

/** What the country needs before its first visits: how much of each is there, and where to add it. For administrators. */
export function SetUpScreen() {
  const answer = useScreenQuery(query, {});
  return (
    <Page title="Set up the country" actions={<Button onClick={answer.reload} text="Count again" />}>
      <QueryState query={answer} what="steps">
        {({ setUp }) => {
          const rows = setUp ?? [];
          const done = rows.filter(({ isDone }) => isDone).length;
          return (
            <div className="stack">
              <p>{done === rows.length ? "All steps are done." : `${done} of ${rows.length} steps are done.`}</p>
              <ProgressBar
                animate={false}
                aria-label="Steps done"
                intent={done === rows.length ? "success" : "primary"}
                stripes={false}
                value={done / Math.max(1, rows.length)}
              />
              <ol className="plain stack">
                {rows.map((row) => (
                  <StepRow key={row.step} step={row} />
                ))}
              </ol>
            </div>
          );
        }}
      </QueryState>
    </Page>
  );
}
