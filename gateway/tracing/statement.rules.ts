/** The name of the span of statements that were sent together: for each the verb and the table. */
export const summaryOf = (text: string): string => text.split(";\n").map(summary).join("; ");

function summary(text: string): string {
  const verb = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update)\s+(?:only\s+)?"?([a-z_]\w*)/i.exec(text)?.[1];
  return table ? `${verb} ${table}` : verb;
}
