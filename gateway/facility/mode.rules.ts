/**
 * The implementation modes and their labels. This file does not import zod, because the client's first lists show them
 * but check no input.
 */

/** Every value of functionalityStatusMode with its label. */
export const modeLabels = {
  EFirst: "E-First",
  EFast: "E-Fast",
  ELast: "E-Last",
  NotDeployed: "SmartCare not deployed",
  Partial: "Partial Deployment",
  NotOperational: "Not operational",
} as const;
export type Mode = keyof typeof modeLabels;
export const modes = Object.keys(modeLabels) as [Mode, ...Mode[]];
