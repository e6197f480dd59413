import { connect, type Database } from "../../db/engine/connect.ts";

/** One database of the server, and how to connect to it. */

export const zone = "Africa/Lusaka";

export type Place = { host: string; port: number; user: string; database: string };

export const openDatabase = (place: Place): Database =>
  connect(place, zone, (error) => console.error(error.message), 2, 3600);

export const urlOf = ({ host, user, database }: Place): string =>
  `postgresql://${user}@${encodeURIComponent(host)}/${database}`;
