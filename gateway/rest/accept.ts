/**
 * Whether an Accept header contains a media type by name, with a higher quality than every other type except "any
 * type".
 */
export function prefers(accept: string | undefined, wanted: string): boolean {
  const asked = (accept ?? "").split(",").map((part) => {
    const [type = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    const q = Number(parameters.find((each) => each.startsWith("q="))?.slice(2) ?? 1);
    return { type, q: Number.isFinite(q) ? q : 0 };
  });
  const weight = asked.find(({ type }) => type === wanted)?.q ?? 0;
  return weight > 0 && asked.every(({ type, q }) => type === wanted || type === "*/*" || q < weight);
}
