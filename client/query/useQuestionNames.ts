import { allPartners } from "../dash/scope.ts";
import { useScopeNames } from "../dash/useScopeNames.ts";
import { figureOf, type Question, questionOf, sentenceOf } from "./question.ts";

/** The names for a question's choices, and the question as a sentence with them. */
export function useQuestionNames(question: Question) {
  const { provinceId, implementingPartnerId } = question;
  const names = useScopeNames(provinceId === undefined ? {} : { provinceId }, implementingPartnerId ?? allPartners);
  const places = [
    ...(provinceId === undefined || names.place === undefined ? [] : [names.place]),
    ...(implementingPartnerId === undefined || names.partnerWords === undefined ? [] : [names.partnerWords]),
  ];
  return { names, sentence: sentenceOf(question, places) };
}

/** What a person wrote about a saved question; undefined if it is the sentence with which the builder saved it. */
export function ownWords({ query, description }: { query: string; description: string | null }): string | undefined {
  const question = questionOf(query);
  return question && description?.startsWith(figureOf(question).label) ? undefined : (description ?? undefined);
}
