/** The name of a statement's span: its verb and its table. */
export function summaryOf(text: string): string {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]\w*)/i.exec(text)?.[1];
  return table ? `${verb} ${table}` : verb;
}
