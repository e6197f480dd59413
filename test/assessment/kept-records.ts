import type { Page } from "playwright-core";

/** A record in the browser's own store, as anybody with the device sees it: sealed, without the key. */
export type KeptRecord = { owner: string; kind: string; id: string; group?: string; usedAt: number; bytes: number };

type Act = { act: "list" | "delete" | "cut"; kind: string; group?: string | undefined };

/** Lists, deletes or cuts off the records of one kind in the page; returns the records that were there. */
function onRecords(page: Page, action: Act): Promise<KeptRecord[]> {
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
    return chosen.map(({ owner, kind, id, group, usedAt, bytes }) => ({
      owner,
      kind,
      id,
      usedAt,
      bytes,
      ...(group ? { group } : {}),
    }));
  }, action);
}

/** The records of one kind that this page's device keeps. */
export const keptRecords = (page: Page, kind: string) => onRecords(page, { act: "list", kind });

/** Deletes the kept answers of one facility, as if it was viewed long ago. */
export const forgetGroup = (page: Page, group: string | undefined) =>
  onRecords(page, { act: "delete", kind: "answer", group });

/** Moves the server's last answer to the person back by some days, as if they had passed. */
export const passDays = (page: Page, days: number) =>
  page.evaluate(async (milliseconds) => {
    const done = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error as Error));
      });
    const db = await done(indexedDB.open("kept"));
    const table = db.transaction("holder", "readwrite").objectStore("holder");
    const holder = (await done(table.get("now"))) as { answeredAt: number };
    await done(table.put({ ...holder, answeredAt: holder.answeredAt - milliseconds }, "now"));
    db.close();
  }, days * 86_400_000);

/** Cuts off the content of all records of one kind. */
export const cutRecords = (page: Page, kind: string) => onRecords(page, { act: "cut", kind });

/** Moves the date of all answers of the server by so many milliseconds. */
export async function letTimePass(page: Page, ms: number): Promise<void> {
  await page.route(/\/(graphql|api\/)/, async (route) => {
    const response = await route.fetch().catch(() => undefined);
    if (!response) return route.abort();
    const date = new Date(Date.parse(response.headers()["date"] ?? "") + ms).toUTCString();
    await route.fulfill({ response, headers: { ...response.headers(), date } }).catch(() => {});
  });
}
