import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/**
 * Estimates how hard a password is to guess, and why. Its word lists are large, so it is fetched only when a new
 * password is typed (PasswordHint).
 */

const meter = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

const strengths = ["very easy to guess", "easy to guess", "fair", "good", "strong"] as const;

/** The meter's warnings in words; those that are not here say no more than the strength. */
const reasons: Record<string, string> = {
  straightRow: "keys in a row are tried early",
  keyPattern: "patterns of keys are tried early",
  simpleRepeat: "repeated characters add little",
  extendedRepeat: "repeated patterns add little",
  sequences: "counted characters add little",
  recentYears: "years are tried early",
  dates: "dates are tried early",
  topTen: "it is one of the ten most used",
  topHundred: "it is one of the hundred most used",
  common: "it is much used",
  similarToCommon: "it is like one that is much used",
  wordByItself: "single words are tried early",
  namesByThemselves: "names are tried early",
  commonNames: "names are tried early",
};

/** @param password only its first 64 characters are looked at, so that a long one takes no time */
export function measurePassword(password: string): { strength: string; reason: string | undefined } {
  const { score, feedback } = meter.check(password.slice(0, 64));
  return { strength: strengths[score], reason: feedback.warning ? reasons[feedback.warning] : undefined };
}
