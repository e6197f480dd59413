import { useSyncExternalStore } from "react";
import type { Content } from "../../gateway/assessment/content.rules.ts";
import { now } from "../shell/clock/clock.ts";
import { forget, keep, listAll, onHolder, read, restoreCopies } from "../store/store.ts";
import { onNews } from "../store/windows.ts";
import { presentWork, takeFormerWork } from "./formerWork.ts";
import type { FormValues, Position } from "./formValues.ts";
import { keepReceipt } from "./receipts.ts";
import { setAside } from "./unreadableWork.ts";

/** A field that the server refused, by its path, and why. */
export type FieldError = { path: string; message: string };

/**
 * The states of a person's work on an assessment on this device: draft, then waiting (saved), then sent or discarded.
 * There are no other transitions and none back. The server's answer to waiting work is stored with it and changes
 * nothing else.
 */
export type KeptWork = {
  /** names the record. One assessment may have two, if two windows had the same draft open */
  workId: string;
  facilityUuid: string;
  facilityName: string;
  /** made here for a new assessment, so that sending it twice stores it once */
  assessmentUuid: string;
  /**
   * whether it belongs to the screen of a new assessment; false once the server has shown that it has one with this
   * uuid
   */
  isNew: boolean;
  /** the state that was edited; null for a new assessment */
  base: { version: number; content: Content } | null;
  /** for a draft what is typed, for waiting work what was saved */
  values: FormValues;
  status: "draft" | "waiting";
  /** what was typed into waiting work since it was saved */
  typed: FormValues | null;
  /**
   * why the server has not accepted it yet. If it is final, sending it again unchanged is useless. `errors`: the fields
   * it named
   */
  reason: { message: string; isFinal: boolean; errors?: FieldError[] } | null;
  /** the server's time when it was first saved, ISO 8601 */
  savedAt: string | null;
  /** an instant, ISO 8601 */
  keptAt: string;
};

/** The part of the work that a form knows. `isWaiting`: the form has opened waiting work and corrects it. */
export type FormWork = Pick<
  KeptWork,
  "workId" | "facilityUuid" | "facilityName" | "assessmentUuid" | "isNew" | "base" | "values"
> & {
  isWaiting: boolean;
  /** the corrected time of the visit (ISO 8601), if the form corrects it */
  visitedAt?: string;
};

/** Work that the server does not accept as it is. */
export const isReturned = ({ status, reason }: KeptWork): boolean => status === "waiting" && reason?.isFinal === true;

let known: KeptWork[] = [];
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

function learn(next: KeptWork[]): void {
  known = next.toSorted((one, other) => (one.keptAt < other.keptAt ? -1 : 1));
  for (const listener of listeners) listener();
}

const learnOne = (workId: string, work: KeptWork | undefined) =>
  learn([...known.filter((one) => one.workId !== workId), ...(work ? [work] : [])]);

async function readWork(workId: string): Promise<KeptWork | undefined> {
  const work = await read<KeptWork>("work", workId);
  return work && presentWork(work);
}

async function load(): Promise<void> {
  try {
    // Work that cannot be taken over stays where it is.
    await takeFormerWork((work) => change(work.workId, (present) => present ?? work)).catch(() => {});
    await restoreCopies().catch(() => {});
    const { readable, unreadable } = await listAll<KeptWork>("work");
    setAside(unreadable);
    learn(readable.map(({ value }) => presentWork(value)));
  } catch {
    // Nobody is signed in, or the device stores nothing. This is reported when something should be stored.
    setAside([]);
    learn([]);
  }
}

/** Resolves when this device's work of the signed-in person has been read. */
export function keptWorkReady(): Promise<void> {
  loading ??= load();
  return loading;
}

/** The person's kept work, the oldest first. */
export const listKeptWork = (): KeptWork[] => known;

function subscribe(listener: () => void): () => void {
  void keptWorkReady();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The person's kept work, updated after changes in this window or another one. */
export const useKeptWork = (): KeptWork[] => useSyncExternalStore(subscribe, listKeptWork);

onHolder(() => {
  learn([]);
  loading = load();
});
onNews((news) => {
  if (news.of === "record" && news.kind === "work")
    void readWork(news.key).then(
      (work) => learnOne(news.key, work),
      () => {},
    );
});

/** Acts while no other window does something under this name, if the browser has locks. */
export const alone = <Result>(name: string, act: () => Promise<Result>): Promise<Result> =>
  "locks" in navigator ? navigator.locks.request(name, act) : act();

/**
 * One transition of a record. It depends on the state that is stored at that moment, also by another window.
 *
 * @throws NotKept
 */
function change(
  workId: string,
  step: (present: KeptWork | undefined) => KeptWork | undefined,
): Promise<KeptWork | undefined> {
  return alone(`work:${workId}`, async () => {
    const present = await readWork(workId);
    const next = step(present);
    if (next === present) return present;
    if (next) await keep("work", workId, next);
    else await forget("work", workId);
    learnOne(workId, next);
    return next;
  });
}

/** Another window's state of the same assessment becomes a record of its own. */
const another = (work: FormWork): FormWork => ({
  ...work,
  workId: `${work.assessmentUuid} ${crypto.randomUUID()}`,
  isWaiting: false,
});

function draftOf({
  workId,
  facilityUuid,
  facilityName,
  assessmentUuid,
  isNew,
  base,
  values,
}: Omit<FormWork, "isWaiting">): KeptWork {
  const work = { workId, facilityUuid, facilityName, assessmentUuid, isNew, base, values };
  return { ...work, status: "draft", typed: null, reason: null, savedAt: null, keptAt: new Date().toISOString() };
}

/** A step of a form with its record, or with a new record if another window has saved the draft that both had open. */
async function changeOfForm(
  work: FormWork,
  step: (present: KeptWork | undefined, work: FormWork) => KeptWork,
): Promise<KeptWork> {
  let isTaken = false;
  const kept = await change(work.workId, (present) => {
    isTaken = present?.status === "waiting" && !work.isWaiting;
    return isTaken ? present : step(present, work);
  });
  return isTaken ? changeOfForm(another(work), step) : kept!;
}

/** Stores what is typed: as a draft, or beside the saved state that is being corrected. @throws NotKept */
export const keepTyped = (work: FormWork): Promise<KeptWork> =>
  changeOfForm(work, (present, own) =>
    present?.status === "waiting" ? { ...present, typed: own.values } : draftOf(own),
  );

/** The position at the first save. If the time of the visit is corrected, the device's clock was wrong for both. */
function sealedPosition(values: FormValues, saved: FormValues | undefined, movedMs: number): Position {
  const { latitude, longitude, positionAccuracy, positionAt } = saved ?? values;
  const at = positionAt && new Date(Date.parse(positionAt) + movedMs).toISOString();
  return { latitude, longitude, positionAccuracy, positionAt: at };
}

/**
 * Draft → waiting; also stores corrections of waiting work. Time and position are those of the first save, wherever it
 * is corrected. Resolves when the device has stored it.
 *
 * @throws NotKept
 */
export const saveWork = (work: FormWork): Promise<KeptWork> =>
  changeOfForm(work, (present, own) => {
    const before = present?.savedAt ?? now().toISOString();
    const savedAt = own.visitedAt ?? before;
    const saved = present?.status === "waiting" ? present.values : undefined;
    const position = sealedPosition(own.values, saved, Date.parse(savedAt) - Date.parse(before));
    return { ...draftOf({ ...own, values: { ...own.values, ...position } }), status: "waiting", savedAt };
  });

/** Waiting work as it is stored now; undefined if another window has sent it. */
export async function findWaiting(workId: string): Promise<KeptWork | undefined> {
  const work = await readWork(workId);
  return work?.status === "waiting" ? work : undefined;
}

/** Stores the server's answer to waiting work, which continues to wait. @throws NotKept */
export async function noteReason({ workId }: KeptWork, reason: KeptWork["reason"], isNew?: boolean): Promise<void> {
  await change(workId, (present) =>
    present?.status === "waiting" ? { ...present, reason, isNew: isNew ?? present.isNew } : present,
  );
}

/**
 * Waiting → sent: the server has stored it at `receivedAt`. A receipt is kept, if the device has room for it. What was
 * typed or saved since then stays, because the server does not have it.
 *
 * @throws NotKept
 */
export async function endSent(work: KeptWork, receivedAt: string): Promise<void> {
  const { workId, facilityUuid, facilityName, assessmentUuid, savedAt, values } = work;
  // Not if it is gone: another window has kept the receipt, or another person is signed in by now.
  if (await findWaiting(workId))
    await keepReceipt({ facilityUuid, facilityName, assessmentUuid, savedAt, receivedAt }).catch(() => {});
  await change(workId, (present) => {
    if (present?.status !== "waiting") return present;
    if (JSON.stringify(present.values) !== JSON.stringify(values)) return present;
    return present.typed ? draftOf({ ...present, values: present.typed }) : undefined;
  });
}

/** Discards a record, after the person has confirmed it. @throws NotKept */
export async function discardWork(workId: string): Promise<void> {
  await change(workId, () => undefined);
}

/** Calls back when another window takes this record over or ends it. Returns a function that stops this. */
export function onTaken(workId: string, listener: () => void): () => void {
  let before = known.find((work) => work.workId === workId);
  const heard = () => {
    const present = known.find((work) => work.workId === workId);
    const isGone =
      before !== undefined && (present === undefined || (before.status === "draft" && present.status === "waiting"));
    before = present;
    if (isGone) listener();
  };
  listeners.add(heard);
  return () => listeners.delete(heard);
}
