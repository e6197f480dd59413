import { listedModeLabels } from "../facility/listFilter.rules.ts";
import type { ListParameter } from "../input/listParameters.rules.ts";

/**
 * The filters of a list of TDBs, in addition to place, person and days of receipt: parameters of its address and of
 * REST, and arguments of GraphQL with the same names.
 */
export const tdbParameters = {
  delta: {
    kind: "flag",
    label: "Delta TDB",
    about: "yes: only delta TDBs. no: only whole ones.",
    words: ["yes", "no"],
  },
  createdStart: {
    kind: "day",
    label: "Created from",
    about: "First day on which it was made.",
  },
  createdEnd: {
    kind: "day",
    label: "Created until",
    about: "Last day on which it was made, included.",
  },
  libraryVersion: {
    kind: "text",
    label: "Library version",
    about: "Only those with this library version.",
  },
  sender: {
    kind: "text",
    label: "Sender",
    about: "Part of the first name and surname of who sent it, in any case.",
  },
  overdue: {
    kind: "flag",
    label: "Next TDB",
    about:
      "yes: of facilities that should have sent their next TDB and did not. no: of those that should send, and are in time.",
    words: ["overdue", "in time"],
  },
  modes: {
    kind: "choices",
    label: "Facility's present mode",
    about: "Of facilities whose present mode is one of these; none: that nobody assessed.",
    choices: listedModeLabels,
  },
} as const satisfies Record<string, ListParameter>;

export type TdbParameterName = keyof typeof tdbParameters;
