import type { Sort } from "../../db/list/page.ts";
import { builder } from "./builder.ts";

type Values<By extends string> = Record<string, { value: Sort<By>; description: string }>;

/**
 * The enum of a list's orders, with an ascending and a descending value for each key, for example NAME_ASC and
 * NAME_DESC. `keys` has the word for the enum and a description of the sort value.
 */
export function sortEnum<By extends string>(
  name: string,
  description: string,
  keys: Record<By, readonly [word: string, text: string]>,
) {
  const values: Values<By> = {};
  for (const by of Object.keys(keys) as By[]) {
    const [word, text] = keys[by];
    values[`${word}_ASC`] = { value: by, description: `By ${text}.` };
    values[`${word}_DESC`] = { value: `-${by}`, description: `By ${text}; the other way round.` };
  }
  return builder.enumType<string, Values<By>>(name, { description, values });
}

/** An enum whose values are the words of a rule, in capitals: `addToFieldList` is ADD_TO_FIELD_LIST. */
export const enumOf = <Word extends string>(name: string, description: string, about: Record<Word, string>) =>
  builder.enumType(name, {
    description,
    values: Object.fromEntries(
      Object.entries(about).map(([value, words]) => [
        value.replaceAll(/[A-Z]/g, "_$&").toUpperCase(),
        { value, description: words },
      ]),
    ) as Record<string, { value: Word; description: string }>,
  });
