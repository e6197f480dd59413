import { GraphiQL } from "graphiql";
import "graphiql/style.css";
import { createRoot } from "react-dom/client";
import "./explorer.css";

/** The page of GraphiQL, our own copy, on our own gateway: no outside host. */

const question = `# Sign in to the platform first; the explorer uses the same session.
query FunctionalSites {
  provinces {
    nodes {
      name
      facilities(mode: EFirst, first: 5) {
        totalCount
        nodes { facilityName }
      }
    }
  }
}
`;

const ask = async (params: object): Promise<unknown> => {
  const response = await fetch("/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify(params),
  });
  return response.json();
};

const place = document.getElementById("explorer");
if (place) createRoot(place).render(<GraphiQL fetcher={ask as never} defaultQuery={question} shouldPersistHeaders={false} />);
