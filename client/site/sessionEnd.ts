import { graphql } from "../gql/gql.ts";
import { client } from "../urql.ts";

const query = graphql(`
  query SessionEndQuery {
    viewer { user { id } sessions { current startDate } }
  }
`);

/** The longest life of a session after sign-in. */
const sessionDays = 7;

/** The last possible day of the present session, YYYY-MM-DD. Undefined if the server cannot be asked. */
export async function findSessionEnd(): Promise<string | undefined> {
  const { data } = await client.query(query, {}, { requestPolicy: "network-only" }).toPromise();
  const start = data?.viewer?.sessions?.find(({ current }) => current)?.startDate;
  if (!start) return undefined;
  const end = new Date(`${start}T00:00:00Z`);
  end.setUTCDate(end.getUTCDate() + sessionDays);
  return end.toISOString().slice(0, 10);
}
