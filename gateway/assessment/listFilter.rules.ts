import { modeLabels } from "../facility/mode.rules.ts";
import type { ListParameter } from "../input/listParameters.rules.ts";

/**
 * The filters of a list of assessments, in addition to place, person and days of the visit: parameters of its address,
 * which REST and GraphQL have too.
 */
export const assessmentParameters = {
  modes: { kind: "choices", label: "Mode", about: "Only those that found one of these modes.", choices: modeLabels },
  functional: {
    kind: "flag",
    label: "SmartCare",
    about: "yes: found functional. no: found not functional. notRecorded: neither is recorded.",
    words: ["works", "does not work", "not recorded"],
  },
  search: {
    kind: "text",
    label: "In a note",
    about: "Only those with this text in a note, in any case.",
    least: 3,
    most: 128,
  },
} as const satisfies Record<string, ListParameter>;
