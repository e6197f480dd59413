import pg from "pg";

/**
 * The SQL statements that the gateway in this process sends while the work is done, without those that it sends by
 * itself.
 */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  // The cast: one function cannot replace all overloads of `query`.
  const client = pg.Client.prototype as unknown as { query: (this: pg.Client, ...args: unknown[]) => unknown };
  const send = client.query;
  const sent: string[] = [];
  client.query = function recorded(...args) {
    sent.push(String((args[0] as { text?: string }).text ?? args[0]));
    return send.apply(this, args);
  };
  try {
    await work();
  } finally {
    client.query = send;
  }
  // The database watch sends statements at any time, and once a minute the gateway notes that a session is in use.
  return sent.filter((text) => !/isStandby|^update "session"/.test(text));
}
