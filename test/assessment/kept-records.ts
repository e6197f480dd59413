import type { Page } from "playwright-core";

/** What a browser's own store holds, as whoever has the device sees it: sealed, without a key. */
export type KeptRecord = { owner: string; kind: string; id: string; group?: string; usedAt: number; bytes: number };

type Act = { act: "list" | "delete" | "cut"; kind: string; group?: string | undefined };

/** Does something with the records of one kind in the page; answers which there were. */
function onRecords(page: Page, asked: Act): Promise<KeptRecord[]> {
  return page.evaluate(async ({ act, kind: wanted, group: going }) => {
    const done = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error as Error));
      });
    const db = await done(indexedDB.open("kept"));
    const table = db.transaction("record", "readwrite").objectStore("record");
    const all = (await done(table.getAll())) as KeptRecord[];
    const chosen = all.filter((record) => record.kind === wanted);
    for (const record of chosen) {
      const { owner, kind, id, group } = record;
      if (act === "delete" && group === going) await done(table.delete([owner, kind, id]));
      if (act === "cut") await done(table.put({ ...record, sealed: new ArrayBuffer(3) }));
    }
    db.close();
    return chosen.map(({ owner, kind, id, group, usedAt, bytes }) => ({ owner, kind, id, usedAt, bytes, ...(group ? { group } : {}) }));
  }, asked);
}

/** The records of one kind that this page's device keeps. */
export const keptRecords = (page: Page, kind: string) => onRecords(page, { act: "list", kind });

/** Takes the kept answers of one facility away, as if it had been looked at long ago. */
export const forgetGroup = (page: Page, group: string | undefined) => onRecords(page, { act: "delete", kind: "answer", group });

/** Cuts what is kept of a kind off in the middle. */
export const cutRecords = (page: Page, kind: string) => onRecords(page, { act: "cut", kind });
