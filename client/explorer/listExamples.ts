import { type Example, readExample } from "./examples.ts";

const files = import.meta.glob<string>("./examples/*.graphql", { eager: true, query: "?raw", import: "default" });

/** The example queries, in the order of their file names. */
export const listExamples = (today: string): Example[] =>
  Object.entries(files)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([path, text]) => readExample(path, text, today));
