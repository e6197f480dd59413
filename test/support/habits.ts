/** What tests read of the sources themselves, beside the walls between rooms (walls.ts). */

export type Source = { file: string; text: string };

const writes = /\b(?:insert|update|delete|upsert)[A-Z]\w*\(/;
const declares = /^(?:export )?(?:async )?(?:function|const )/;
const audits = /\brecordAudits?\(|\binsertAuditEvents?\(/;

/** The exported functions that write through `db/`, themselves or by functions of the same file, and record nothing in the audit log: "file: function". */
export function unauditedActs(sources: readonly Source[]): string[] {
  return sources.flatMap(({ file, text }) => {
    if (!/ from "(?:\.\.\/)+db\//.test(text)) return [];
    const pieces = text.split(/^(?=(?:export )?(?:async )?(?:function\*? |const ))/m).filter((piece) => declares.test(piece));
    const bodies = new Map(pieces.map((piece) => [/(?:function\*?|const) (\W*\w+)/.exec(piece)![1]!, piece]));
    const reached = (name: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(name)) return seen;
      seen.add(name);
      for (const [word] of bodies.get(name)!.matchAll(/\w+/g)) if (bodies.has(word)) reached(word, seen);
      return seen;
    };
    return [...bodies].flatMap(([name, body]) => {
      if (!body.startsWith("export ")) return [];
      const all = [...reached(name)].map((each) => bodies.get(each)!).join("\n");
      return writes.test(all) && !audits.test(all) ? [`${file}: ${name}`] : [];
    });
  });
}
