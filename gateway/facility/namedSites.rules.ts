/** The most facilities that a file can be asked for one by one: their uuids must fit into an address. */
export const mostNamedSites = 200;
