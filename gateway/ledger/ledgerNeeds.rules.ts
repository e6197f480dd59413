import type { LedgerKind } from "../../db/ledger/ledger.rules.ts";
import type { Capability } from "../access/access.rules.ts";

/** The right that a kind of the ledger needs; kinds that are not named here are open facts. */
export const ledgerNeeds: Partial<Record<LedgerKind, Capability>> = {
  action: "viewAssessments",
  note: "viewAssessments",
  setAside: "viewAssessments",
};
