/** What a statement does and to which table, in two words: the name of its span. */
export function summaryOf(text: string): string {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]\w*)/i.exec(text)?.[1];
  return table ? `${verb} ${table}` : verb;
}
