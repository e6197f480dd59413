/** A name in a drawing: where it stands, and how large what it names is, all in percent. */
type Named = { x: number; y: number; share: number };

/** The names that do not touch that of a larger part. */
export function namesApart<Name extends Named>(names: readonly Name[], least: { x: number; y: number }): Name[] {
  const kept: Name[] = [];
  for (const one of names.toSorted((a, b) => b.share - a.share))
    if (kept.every((other) => Math.abs(one.x - other.x) >= least.x || Math.abs(one.y - other.y) >= least.y))
      kept.push(one);
  return kept;
}
