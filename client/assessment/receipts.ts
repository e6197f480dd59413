import { useSyncExternalStore } from "react";
import { isClockWrong, now } from "../shell/clock/clock.ts";
import { forgetBefore, keep, list, onHolder } from "../store/store.ts";
import { onNews } from "../store/windows.ts";
import type { KeptWork } from "./keptWork.ts";

/**
 * What this device has sent stays listed on it for 30 days: which visit it was, and when the server stored it. A receipt
 * is neither a draft nor waiting work, and is stored apart from them, encrypted in the same way.
 */
export type Receipt = Pick<KeptWork, "facilityUuid" | "facilityName" | "assessmentUuid" | "savedAt"> & {
  /** when the server stored it, ISO 8601; of a correction, the server's time of its answer */
  receivedAt: string;
};

const dayMs = 24 * 60 * 60_000;
const keptForMs = 30 * dayMs;

let known: Receipt[] = [];
let loading: Promise<void> | undefined;
/** Of several readings at the same time only the last counts: an earlier one may be of the person before. */
let looks = 0;
const listeners = new Set<() => void>();

function learn(next: Receipt[]): void {
  known = next.toSorted((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1));
  for (const listener of listeners) listener();
}

async function load(): Promise<void> {
  const look = (looks += 1);
  const oldest = new Date(now().getTime() - keptForMs).toISOString();
  try {
    // A clock that is ahead would end every receipt.
    if (!isClockWrong()) await forgetBefore("receipt", oldest).catch(() => {});
    const kept = (await list<Receipt>("receipt")).map(({ value }) => value);
    if (look === looks) learn(kept.filter(({ receivedAt }) => receivedAt >= oldest));
  } catch {
    // Nobody is signed in, or the device stores nothing.
    if (look === looks) learn([]);
  }
}

/** Stores a receipt, which replaces an earlier one of the same assessment. @throws NotKept */
export async function keepReceipt(receipt: Receipt): Promise<void> {
  await keep("receipt", receipt.assessmentUuid, receipt);
  await (loading = load());
}

function subscribe(listener: () => void): () => void {
  loading ??= load();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The person's receipts of the last 30 days, the newest first. */
export const useReceipts = (): Receipt[] => useSyncExternalStore(subscribe, () => known);

/** How the person and the ministry name an assessment to each other: the end of its uuid. */
export const referenceOf = (assessmentUuid: string): string => assessmentUuid.slice(-8).toUpperCase();

onHolder(() => {
  learn([]);
  loading = load();
});
onNews((news) => {
  if (news.of === "record" && news.kind === "receipt") loading = load();
});
