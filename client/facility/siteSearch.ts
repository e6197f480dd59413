import { codeForm } from "../../gateway/input/identity.rules.ts";

/**
 * Finds facilities by name and code without the server, by the server's rules (db/facility/facilitySearch.ts): all
 * words of the text must be in the name or the codes. Only if no facility has them all, similar ones are found. So a
 * typo is tolerated, and a code does not find similar codes too.
 */

type Named = { facilityUuid: string; facilityName: string; hmisCode: string | null; oldHmisCode: string | null };
export type Searchable<Site extends Named> = {
  site: Site;
  name: string;
  codes: string[];
  text: string;
  words: string[];
};

/**
 * The normal form of a text for the search: lower case, without accents and apostrophes, other punctuation as spaces.
 */
const searchKey = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/['’‘ʼ`´]/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** @param more other words by which the site is found, such as its district */
export function searchable<Site extends Named>(site: Site, more = ""): Searchable<Site> {
  const codes = [site.hmisCode, site.oldHmisCode].filter((code) => code !== null).map((code) => code.toLowerCase());
  const text = searchKey([site.facilityName, ...codes, more].join(" "));
  return { site, name: searchKey(site.facilityName), codes, text, words: text.split(" ") };
}

/** Whether the edit distance of two words is at most this. */
function isWithin(most: number, one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > most) return false;
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const here = [row];
    let least = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const steps = Math.min(before[column]! + 1, here[column - 1]! + 1, before[column - 1]! + (isSame ? 0 : 1));
      here.push(steps);
      if (steps < least) least = steps;
    }
    if (least > most) return false;
    before = here;
  }
  return before[other.length]! <= most;
}

function trigramsOf(word: string): string[] {
  const padded = `  ${word} `;
  return Array.from({ length: padded.length - 2 }, (_, start) => padded.slice(start, start + 3));
}

/** The similarity (0 to 1, by trigrams) of some words to the most similar sequence of as many words in a text. */
function likenessTo(asked: readonly string[]): (words: readonly string[]) => number {
  const wanted = new Set(asked.flatMap(trigramsOf));
  const known = new Map<string, { shared: number; all: number }>();
  const countsOf = (word: string) => {
    let counts = known.get(word);
    if (!counts) {
      const trigrams = trigramsOf(word);
      known.set(word, (counts = { shared: trigrams.filter((one) => wanted.has(one)).length, all: trigrams.length }));
    }
    return counts;
  };
  return (words) => {
    const counts = words.map(countsOf);
    let best = 0;
    for (let start = 0; start === 0 || start + asked.length <= counts.length; start += 1) {
      const there = counts.slice(start, start + asked.length);
      const shared = Math.min(
        wanted.size,
        there.reduce((sum, one) => sum + one.shared, 0),
      );
      best = Math.max(best, shared / (wanted.size + there.reduce((sum, one) => sum + one.all, 0) - shared));
    }
    return best;
  };
}

const enoughAlike = 0.6;

/**
 * The rank of a match, the best is 0: exact code, beginning of a code, whole name, beginning of the name, of a word,
 * anywhere.
 */
function rank({ codes, name, text }: Searchable<Named>, key: string): number {
  if (codes.includes(key)) return 0;
  if (codes.some((code) => code.startsWith(key))) return 1;
  if (name === key) return 2;
  if (name.startsWith(key)) return 3;
  if (` ${text}`.includes(` ${key}`)) return 4;
  return text.includes(key) ? 5 : 6;
}

function listAlike<Site extends Named>(
  all: readonly Searchable<Site>[],
  asked: readonly string[],
  likeness: (words: readonly string[]) => number,
): Searchable<Site>[] {
  const known = [...new Set(all.flatMap(({ words }) => words))];
  const meant = asked.map((word) => {
    const most = word.length < 5 ? 1 : 2;
    return new Set(known.filter((other) => isWithin(most, word, other)));
  });
  return all.filter(
    ({ words }) => meant.every((alike) => words.some((word) => alike.has(word))) || likeness(words) >= enoughAlike,
  );
}

/** The facilities that match a text, the best match first. */
export function search<Site extends Named>(all: readonly Searchable<Site>[], typed: string): Site[] {
  const key = searchKey(codeForm(typed));
  if (key === "") return [];
  const asked = key.split(" ");
  const likeness = likenessTo(asked);
  const holding = all.filter(({ text }) => asked.every((word) => text.includes(word)));
  return (holding.length > 0 ? holding : listAlike(all, asked, likeness))
    .map((found) => ({ found, distance: rank(found, key) + 1 - likeness(found.words) }))
    .toSorted((one, other) => one.distance - other.distance || compare(one.found.site, other.found.site))
    .map(({ found }) => found.site);
}

/** The order by name, then by uuid, so that it is always the same. */
export const compare = (one: Named, other: Named): number =>
  one.facilityName < other.facilityName
    ? -1
    : one.facilityName > other.facilityName
      ? 1
      : one.facilityUuid < other.facilityUuid
        ? -1
        : 1;
