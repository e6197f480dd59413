/**
 * Measures a document in one pass over its text, before GraphQL's parser runs, which needs a hundred times the text's size in memory. A text that
 * is not GraphQL is measured too; the parser reports its errors after that.
 */

/** An operation or a fragment, without the fragments that it spreads. */
export type Definition = {
  name: string | null;
  isFragment: boolean;
  /** levels of fields */
  depth: number;
  aliases: number;
  fields: number;
  /** the fragments that it spreads, each with the levels of fields around it; null if levels are not counted there */
  spreads: { name: string; around: number | null }[];
};

export type TextShape = {
  tokens: number;
  directives: number;
  aliases: number;
  /** levels of brackets of all kinds */
  levels: number;
  /** whether it is introspection */
  readsSchema: boolean;
  definitions: Definition[];
};

/** Kinds of characters, by which a text is split into names, numbers, strings and (0) punctuation. */
const blank = 1;
const name = 2;
const digit = 3;
const quote = 4;
const comment = 5;
const dot = 6;
const kinds = new Uint8Array(65_536);
const markAll = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
};
markAll(" \t\r\n,\uFEFF", blank);
markAll("_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", name);
markAll("-+0123456789", digit);
markAll('"', quote);
markAll("#", comment);
markAll(".", dot);
const kindAt = (text: string, at: number) => kinds[text.charCodeAt(at)]!;

function endOfString(text: string, begin: number): number {
  if (text.startsWith('"""', begin)) {
    for (let end = text.indexOf('"""', begin + 3); end >= 0; end = text.indexOf('"""', end + 3)) if (text[end - 1] !== "\\") return end + 3;
    return text.length;
  }
  for (let at = begin + 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === '"') return at + 1;
    else if (character === "\n" || character === "\r") return at;
  }
  return text.length;
}

/** The end of the token that begins here. */
function endOf(text: string, begin: number): number {
  const kind = kindAt(text, begin);
  let end = begin + 1;
  if (kind === name) while (kindAt(text, end) === name || (kindAt(text, end) === digit && text[end]! >= "0")) end += 1;
  else if (kind === digit) while (kindAt(text, end) === name || kindAt(text, end) === digit || kindAt(text, end) === dot) end += 1;
  else if (kind === blank) while (kindAt(text, end) === blank) end += 1;
  else if (kind === comment) while (end < text.length && text[end] !== "\n" && text[end] !== "\r") end += 1;
  else if (kind === quote) return endOfString(text, begin);
  else if (kind === dot && text.startsWith("...", begin)) return begin + 3;
  return end;
}

const isName = (piece: string): boolean => kindAt(piece, 0) === name;

/** An open pair of braces: the levels of fields around it, and whether further levels are counted. */
type Braces = { around: number; isCounted: boolean };

/** Reads tokens in their order. Within round brackets (arguments and variables) it only counts brackets. */
class Reading {
  readonly shape: TextShape = { tokens: 0, directives: 0, aliases: 0, levels: 0, readsSchema: false, definitions: [] };
  private definition: Definition | undefined;
  private readonly braces: Braces[] = [];
  private level = 0;
  private round = 0;
  /** the two tokens before this one */
  private last = "";
  private lastButOne = "";
  /** the field that was read last, to which following braces belong; null: they belong to an inline fragment */
  private field: string | null = null;

  read(piece: string, onlyBrackets: boolean): void {
    const { shape } = this;
    if (piece === "(" || piece === "[" || piece === "{") {
      this.level += 1;
      if (this.level > shape.levels) shape.levels = this.level;
    } else if (piece === ")" || piece === "]" || piece === "}") this.level -= 1;
    if (onlyBrackets) return;
    if (piece === "@") shape.directives += 1;
    if (piece === "(") this.round += 1;
    else if (piece === ")") this.round = Math.max(0, this.round - 1);
    else if (this.round === 0) this.readOutside(piece);
    this.lastButOne = this.last;
    this.last = piece;
  }

  private readOutside(piece: string): void {
    const within = this.braces.at(-1);
    if (piece === "{") this.open(within);
    else if (piece === "}") {
      this.braces.pop();
      if (this.braces.length === 0) this.definition = undefined;
    } else if (!within) this.readHead(piece);
    else if (piece === "...") this.field = null;
    else if (piece === ":") {
      this.shape.aliases += 1;
      this.definition!.aliases += 1;
    } else if (isName(piece)) this.readName(piece, within);
  }

  private define(isFragment: boolean): void {
    this.definition = { name: null, isFragment, depth: 0, aliases: 0, fields: 0, spreads: [] };
    this.shape.definitions.push(this.definition);
  }

  private readHead(piece: string): void {
    if (!this.definition) this.define(piece === "fragment");
    else if (this.definition.name === null && this.last !== "@" && isName(piece)) this.definition.name = piece;
  }

  private open(within: Braces | undefined): void {
    if (!within) {
      if (!this.definition) this.define(false);
      this.braces.push({ around: 0, isCounted: true });
    } else if (this.field === null) this.braces.push(within);
    // Levels of introspection are not counted: its usual query is deep, and GraphQL has a separate rule against its misuse.
    else this.braces.push({ around: within.around + 1, isCounted: within.isCounted && !this.field.startsWith("__") });
    this.field = null;
  }

  private readName(read: string, { around, isCounted }: Braces): void {
    const { definition, last } = this;
    if (last === "@" || (last === "on" && this.lastButOne === "...")) return;
    if (last === "...") {
      if (read !== "on") definition!.spreads.push({ name: read, around: isCounted ? around : null });
      return;
    }
    this.field = read;
    if (read === "__schema" || read === "__type") this.shape.readsSchema = true;
    // The name after an alias was already counted as a field.
    if (last === ":") return;
    definition!.fields += 1;
    if (isCounted) definition!.depth = Math.max(definition!.depth, around + 1);
  }
}

/** Measures a text. @param mostTokens after this many tokens only brackets are counted */
export function readShape(text: string, mostTokens: number): TextShape {
  const reading = new Reading();
  const { shape } = reading;
  for (let begin = 0, end = 0; begin < text.length; begin = end) {
    end = endOf(text, begin);
    const kind = kindAt(text, begin);
    if (kind === blank || kind === comment) continue;
    shape.tokens += 1;
    reading.read(end === begin + 1 ? text[begin]! : text.slice(begin, end), shape.tokens > mostTokens);
  }
  return shape;
}
