import { Card, HTMLTable } from "@blueprintjs/core";
import { Link } from "react-router-dom";
import { may } from "../../gateway/access/access.rules.ts";
import { routes } from "../routes.ts";
import { useSystem, useViewer } from "../shell/session/viewer.ts";
import { Page } from "../ui/page/Page.tsx";
import "./AboutScreen.css";

const address = ["Ministry of Health", "Ndeke House", "Haile Selassie Avenue", "P.O. Box 30205", "Lusaka", "Zambia"];

/** What the platform is, whom to ask for help, and which versions are running. */
export function AboutScreen() {
  const system = useSystem();
  const { privileges } = useViewer();
  const versions = [
    ["App name", system.appName],
    ["App version", system.appVersion],
    ["Patch level", system.patchLevel],
    ["Java version", system.javaVersion],
    ["Java vendor", system.javaVendor],
  ];
  return (
    <Page title="About">
      <div className="grid is-half about">
        <Card className="stack" aria-labelledby="about-contact" role="region">
          <h2 id="about-contact">Contact</h2>
          <address className="about-address stack is-close">
            {address.map((line) => (
              <span key={line}>{line}</span>
            ))}
          </address>
        </Card>
        <Card className="stack" aria-labelledby="about-system" role="region">
          <h2 id="about-system">System information</h2>
          <HTMLTable compact>
            <caption className="visually-hidden">System information</caption>
            <tbody>
              {versions.map(([label, value]) => (
                <tr key={label}>
                  <th scope="row">{label}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </HTMLTable>
          <Link to={routes.glossary()}>Glossary</Link>
          {may(privileges, "viewSystem") ? (
            <>
              <Link to={routes.checks()}>Checks of this installation</Link>
              <Link to={routes.setUp()}>Set up the country</Link>
              <Link to={routes.style()}>Style: every component</Link>
            </>
          ) : null}
        </Card>
        <section className="stack is-close is-wide measure" aria-labelledby="about-background">
          <h2 id="about-background">Background</h2>
          <p>
            SmartCare is the electronic health record system of Zambia's public health facilities. This platform follows
            its deployment: at which facilities it is installed, how it is used there, and what hinders it.
          </p>
          <p>
            Teams that visit a facility record an assessment of power, software, staff training and service areas.
            Facilities send their transport databases (TDBs). The dashboards bring both together for the nation, for
            each province and district, and for each implementing partner, so that the ministry and its partners plan
            their work from the same figures.
          </p>
        </section>
      </div>
    </Page>
  );
}
