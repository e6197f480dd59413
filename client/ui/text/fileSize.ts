const units = ["Bytes", "KB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];

/** A file's size with 2 decimals, as the specification demands, in the unit that fits: "1.50 MB", "12.00 Bytes". */
export function formatFileSize(bytes: number): string {
  const power = bytes > 0 ? Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), units.length - 1) : 0;
  return `${(bytes / 1024 ** power).toFixed(2)} ${units[power]}`;
}
