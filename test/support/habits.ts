/** Checks of the text of the sources, besides the walls between rooms (walls.ts). */

export type Source = { file: string; text: string };

const writes = /\b(?:insert|update|delete|upsert)[A-Z]\w*\(/;
const declares = /^(?:export )?(?:async )?(?:function|const )/;
const checks = /\b(?:require[A-Z]\w*|narrowed)\(/;
const audits = /\brecordAudits?\(|\binsertAuditEvents?\(/;

/**
 * The functions of a file, each with its own text, and with the text of all functions of the same file that it calls.
 */
function functionsOf(text: string): { name: string; body: string; full: string }[] {
  const pieces = text
    .split(/^(?=(?:export )?(?:async )?(?:function\*? |const ))/m)
    .filter((piece) => declares.test(piece));
  const bodies = new Map(pieces.map((piece) => [/(?:function\*?|const) (\W*\w+)/.exec(piece)![1]!, piece]));
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen;
    seen.add(name);
    for (const [word] of bodies.get(name)!.matchAll(/\w+/g)) if (bodies.has(word)) reached(word, seen);
    return seen;
  };
  return [...bodies].map(([name, body]) => ({
    name,
    body,
    full: [...reached(name)].map((each) => bodies.get(each)!).join("\n"),
  }));
}

/**
 * The exported functions that write through `db/`, themselves or by functions of the same file, and record nothing in
 * the audit log: "file: function".
 */
export function unauditedActs(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    if (!/ from "(?:\.\.\/)+db\//.test(text)) return [];
    return functionsOf(text).flatMap(({ name, body, full }) =>
      body.startsWith("export ") && writes.test(full) && !audits.test(full) ? [`${file}: ${name}`] : [],
    );
  });
}

/**
 * The exported functions that take a request's context and check no right, neither themselves nor by functions of the
 * same file: "file: function".
 */
export function uncheckedActs(sources: readonly Source[]): string[] {
  const isAct = (body: string) => body.startsWith("export ") && /^[^{;]*?\(\s*context: Context\b/.test(body);
  return sources.flatMap(({ file, text }) =>
    functionsOf(text).flatMap(({ name, body, full }) =>
      isAct(body) && !checks.test(full) ? [`${file}: ${name}`] : [],
    ),
  );
}
