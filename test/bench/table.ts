/** A table as plain text: texts are aligned left, figures right. */
export function table(head: string[], rows: (string | number)[][]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === "number" ? figure(cell) : cell)))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  const isText = (column: number) =>
    column === 0 ||
    !rows.some((row) => typeof row[column] === "number" || /^[\d.–]+( (x|ms|s|MB))?$/.test(row[column] ?? ""));
  return cells
    .map((row) =>
      row
        .map((cell, column) => (isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A number with about three significant digits: 1234, 45.6, 1.23, 0.045. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return value.toFixed(0);
  if (Math.abs(value) >= 10) return value.toFixed(1);
  return Math.abs(value) >= 1 ? value.toFixed(2) : value.toFixed(3);
}
