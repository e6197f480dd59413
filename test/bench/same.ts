import type { Request } from "./connection.ts";

/** Answers are compared before speeds. */

// oxlint-disable-next-line typescript/no-explicit-any -- answers of the product, of the floor and of PostGraphile, which each question reads in its own way
export type AnyAnswer = any;

/** The client's documents also query type names, of which the floor's statements read only some. */
export const withoutTypeNames = (answer: unknown): AnyAnswer =>
  JSON.parse(JSON.stringify(answer), (key, value: unknown) => (key === "__typename" ? undefined : value));

export async function answerOf(port: number, { method, path, headers, body }: Request): Promise<AnyAnswer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { ...headers, "accept-encoding": "identity", ...(body ? { "content-type": "application/json" } : {}) },
    body,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text.slice(0, 500)}`);
  const answer = withoutTypeNames(JSON.parse(text));
  if (answer?.errors) throw new Error(`${path}: ${JSON.stringify(answer.errors).slice(0, 500)}`);
  return answer;
}

/** The first difference between two answers, as a path with both values; null if they are equal. */
export function difference(one: unknown, other: unknown, path = "answer"): string | null {
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
  if (!isObject(one) || !isObject(other)) {
    if (one === other) return null;
    return `${path}: ${JSON.stringify(one)?.slice(0, 100)} and ${JSON.stringify(other)?.slice(0, 100)}`;
  }
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return `${path}: ${one.length} and ${other.length} elements`;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const found = difference(one[key], other[key], `${path}.${key}`);
    if (found) return found;
  }
  return null;
}
