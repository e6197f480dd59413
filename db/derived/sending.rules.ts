/** Present modes in which the system is deployed, so that there is something to send. */
export const sendingModes = ["EFirst", "EFast", "ELast", "Partial"] as const;
