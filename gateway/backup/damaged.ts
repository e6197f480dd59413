/** The backup cannot be used; the message names the part and what is wrong with it. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

/** The backup was not made; the message says why. */
export class NoBackup extends Error {
  override name = "NoBackup";
}

/** The message of an error, with those of its causes. */
export const reasonOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} (${cause.message || cause.name})` : message;
