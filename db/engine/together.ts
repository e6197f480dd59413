import pg from "pg";

/**
 * Several statements in one round trip: they are sent together, with one Sync message at the end. PostgreSQL runs them in order. If one fails, it skips
 * all others up to the Sync, so that no statement runs without those before it. (pg's own `pipeline` sends a Sync after each statement: if `begin`
 * failed, each of the following would be committed alone. It also does not allow COPY.)
 */

export type Sent = pg.QueryArrayConfig;
export type Answered = pg.QueryArrayResult<unknown[]>;

/** pg's record of the statements that were sent to be prepared, by name. */
type Noted = { submittedNamedStatements: Record<string, string> };
/** The methods of a pg query that receive its answer; pg's types do not declare them. */
type Query = {
  name?: string;
  text: string;
  /** @returns why it was not sent */
  submit: (connection: pg.Connection) => Error | null;
  handleRowDescription: (message: unknown) => void;
  handleDataRow: (message: unknown) => void;
  handleCommandComplete: (message: unknown, connection: pg.Connection) => void;
  handleReadyForQuery: (connection: pg.Connection) => void;
};

/**
 * Sends statements together. Each text must be a single statement: PostgreSQL accepts a text with several only if it is sent alone.
 *
 * @returns the results, in the order of the statements
 * @throws PostgreSQL's error for the first that failed
 */
export const sendTogether = (client: pg.ClientBase, statements: readonly Sent[]): Promise<Answered[]> =>
  new Promise((resolve, reject) => {
    const answers: Answered[] = [];
    /** the index of the statement whose answer comes next */
    let at = 0;
    let isRefused = false;
    const take = (error: Error | undefined, answer: Answered) => {
      if (error) {
        isRefused = true;
        reject(error);
      } else answers.push(answer);
    };
    // The casts: pg's types do not declare the callback, nor the methods that a connection calls.
    const queries = statements.map((statement) => new pg.Query({ ...statement, queryMode: "extended", types: client } as Sent, take as never) as unknown as Query);
    client.query({
      // By name and text pg records what the connection has prepared.
      get name() {
        return queries[at]!.name;
      },
      get text() {
        return queries[at]!.text;
      },
      submit(connection: pg.Connection) {
        const withoutSync = Object.create(connection, { sync: { value: () => {} } }) as pg.Connection;
        connection.stream.cork();
        for (const query of queries) {
          const error = query.submit(withoutSync);
          // The cast: with an error there is no answer.
          if (error) take(error, undefined as never);
          // If one could not be sent, the following ones are not sent either.
          if (isRefused) break;
        }
        connection.sync();
        connection.stream.uncork();
      },
      handleRowDescription: (message: unknown) => queries[at]!.handleRowDescription(message),
      handleDataRow: (message: unknown) => queries[at]!.handleDataRow(message),
      handleCommandComplete(message: unknown, connection: pg.Connection) {
        queries[at]!.handleCommandComplete(message, connection);
        if (at < queries.length - 1) at += 1;
      },
      handleReadyForQuery(connection: pg.Connection) {
        for (const query of queries) query.handleReadyForQuery(connection);
        resolve(answers);
      },
      handleError(error: Error, { submittedNamedStatements }: Noted) {
        // The statements after the failed one were skipped, so they are not prepared.
        for (const { name } of queries.slice(at)) if (name) delete submittedNamedStatements[name];
        reject(error);
      },
    } as pg.Submittable);
  });
