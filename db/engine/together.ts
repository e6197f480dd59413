import pg from "pg";

/**
 * Several statements in one round trip: they are sent together, with one Sync behind them. PostgreSQL runs them in order; where one fails it skips
 * the others up to the Sync, so that nothing runs without what stands before it. (pg's own `pipeline` sends a Sync with each statement: where
 * `begin` failed, what follows would be committed piece by piece. It also allows no COPY.)
 */

export type Sent = pg.QueryArrayConfig;
export type Answered = pg.QueryArrayResult<unknown[]>;

/** Names of statements that were sent to be prepared, by pg's own note. */
type Noted = { submittedNamedStatements: Record<string, string> };
/** A statement as pg receives its answer; pg's types leave this out. */
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
 * Sends statements together. Each is a single one: PostgreSQL takes a text with several only by itself.
 *
 * @returns the answer of each
 * @throws PostgreSQL's error of the first that failed
 */
export const sendTogether = (client: pg.ClientBase, statements: readonly Sent[]): Promise<Answered[]> =>
  new Promise((resolve, reject) => {
    const answers: Answered[] = [];
    /** the one that is answered next */
    let at = 0;
    let isRefused = false;
    const take = (error: Error | undefined, answer: Answered) => {
      if (error) {
        isRefused = true;
        reject(error);
      } else answers.push(answer);
    };
    // pg's types leave out the callback, and the methods that a connection calls.
    const queries = statements.map((statement) => new pg.Query({ ...statement, queryMode: "extended", types: client } as Sent, take as never) as unknown as Query);
    client.query({
      // pg notes by them what the connection has prepared.
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
          // With an error there is no answer.
          if (error) take(error, undefined as never);
          // What stands behind one that could not be sent is not sent either.
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
        // Those behind it were skipped, so they are not prepared.
        for (const { name } of queries.slice(at)) if (name) delete submittedNamedStatements[name];
        reject(error);
      },
    } as pg.Submittable);
  });
