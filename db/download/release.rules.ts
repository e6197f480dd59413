/** What a file to download can install, and the channels to which it can be released. */
export const downloadParts = ["library", "database"] as const;
export type DownloadPart = (typeof downloadParts)[number];
export const channels = ["general", "pilot"] as const;
export type Channel = (typeof channels)[number];
