import { useEffect, useState } from "react";
import type { FieldErrors, FieldValues, Resolver } from "react-hook-form";
import { readOnceTouched } from "../network/idle.ts";
import { ruleParts } from "./ruleParts.ts";

const unreachable = { type: "unreachable", message: "The server cannot be reached. Check the connection and try again." };

/**
 * Checks a form by rules that are fetched when somebody begins to fill it in, because the rules and zod are as large as a screen. If they
 * cannot be fetched, the form says so, and the next attempt fetches again.
 * @param load imports the rules and returns the resolver; the file is fetched once.
 */
export function useFetchedRules<Values extends FieldValues>(load: () => Promise<Resolver<Values>>): Resolver<Values> {
  const [first] = useState(() => load);
  useEffect(() => {
    return readOnceTouched(...ruleParts, first);
  }, [first]);
  return async (values, context, options) => {
    const check = await load().catch(() => undefined);
    return check ? check(values, context, options) : { values: {}, errors: { root: unreachable } as FieldErrors<Values> };
  };
}
