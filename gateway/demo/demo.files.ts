import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";

import type { Step } from "../download/releasePath.rules.ts";
import { makePrivateFolder } from "../storage/folderStorage.ts";
import { createTdbx, zip } from "../tdb/tdbxSample.ts";
import type { DemoFacility } from "./demo.facilities.ts";
import { addDays, daysBetween, draw, moment, uuidOf } from "./demo.random.ts";
import { historyStart, modeOn, progressOn, versionOn } from "./demo.visits.ts";

/** Made-up files with contents: transport databases and downloads. */

type DemoFile = { storageKey: string; content: Buffer };
const facts = ({ storageKey, content }: DemoFile) => ({
  storageKey,
  fileSize: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
});

/** Writes files durably: first the contents, then the folders. Several at a time, which is faster. */
export async function writeFiles(dataDir: string, files: DemoFile[]): Promise<void> {
  const folders = new Set(files.map(({ storageKey }) => dirname(join(dataDir, storageKey))));
  for (const folder of folders) await makePrivateFolder(folder);
  const waiting = [...files];
  const write = async () => {
    for (let file = waiting.pop(); file; file = waiting.pop()) {
      const handle = await open(join(dataDir, file.storageKey), "w", 0o600);
      try {
        await handle.writeFile(file.content);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
  };
  await Promise.all(Array.from({ length: 32 }, write));
  for (const folder of [...folders, join(dataDir, "files"), dataDir]) {
    const handle = await open(folder, "r");
    await handle.sync();
    await handle.close();
  }
}

const ownComputers = (facility: DemoFacility, progress: number) => {
  const { between, pick, chance } = draw(`computers ${facility.facilityUuid}`);
  const most = facility.healthCenterType === "Hospital" ? 9 : facility.healthCenterType === "Urban" ? 6 : 3;
  const count = Math.max(1, Math.round(between(1, most) * (0.5 + 0.5 * progress)));
  return Array.from({ length: count }, () => {
    const cpuCores = pick([1, 2, 2, 4, 4, 4, 8]);
    return { cpuCores, os64Bit: cpuCores > 2 || chance(0.5) };
  });
};

type Computers = ReturnType<typeof ownComputers>;
const grouped = (computers: Computers) => {
  const groups = new Map<string, Computers[number] & { computers: number }>();
  for (const computer of computers) {
    const key = JSON.stringify(computer);
    groups.set(key, { ...computer, computers: (groups.get(key)?.computers ?? 0) + 1 });
  }
  return [...groups.values()];
};

type DemoTdb = { day: string; number: number; today: string; soon?: string; delta?: boolean; shareOfPatients?: number };

function createTdb(facility: DemoFacility, { day, number, today, soon, delta: isDelta, shareOfPatients = 1 }: DemoTdb) {
  const chances = draw(`tdb ${facility.facilityUuid} ${number}`);
  const { between, chance } = chances;
  const uploadDay = soon ? day : [addDays(day, between(1, 5)), addDays(today, -1)].toSorted()[0]!;
  const createdDay = soon ? addDays(day, -between(1, 6)) : day;
  const progress = Math.max(0, progressOn(createdDay, today));
  const drawn = number > 0 && !chance(0.15);
  const delta = isDelta ?? drawn;
  const size = facility.healthCenterType === "Hospital" ? 9000 : 1200;
  const first = Math.round(size * (0.2 + 0.8 * draw(`patients ${facility.facilityUuid}`).number()));
  const totalPatients = Math.round((first + Math.round(first * 1.5 * progress)) * shareOfPatients);
  const createdAt = `${moment(createdDay, between(5, 9), between(0, 59), between(0, 59)).replace(" ", "T")}Z`;
  const version = versionOn(progress, chances);
  const computers = ownComputers(facility, progress);
  const tdbUuid = uuidOf(`tdb ${facility.facilityUuid} ${number}`);
  const content = createTdbx(
    {
      format: "tdbx/1",
      facility: { uuid: facility.facilityUuid, ...(facility.hmisCode ? { hmisCode: facility.hmisCode } : {}) },
      createdAt,
      delta,
      totalPatients,
      ...version,
      computers,
    },
    (delta ? 4 : 24) * totalPatients + between(0, 500),
  );
  const file = { storageKey: `files/tdb/${tdbUuid}.tdbx`, content };
  const tdb = {
    tdbUuid,
    facilityUuid: facility.facilityUuid,
    author: chance(0.7) ? "uploader" : "admin",
    uploadedAt: soon ?? moment(uploadDay, between(12, 16), between(0, 59), between(0, 59)),
    delta,
    tdbCreatedAt: createdAt,
    totalPatients,
    ...version,
    fileName: `${(facility.hmisCode ?? facility.facilityUuid).slice(0, 32)}-${createdDay}${delta ? "-delta" : ""}.tdbx`,
    ...facts(file),
  };
  return { tdb, computers: grouped(computers).map((group) => ({ tdbUuid, ...group })), file };
}

/** The facilities that send transport databases: some of Partner A and B, where the system is in use. */
const senders = (facilities: DemoFacility[]): DemoFacility[] =>
  facilities.filter(
    (facility) =>
      (facility.partner === "Partner A" || facility.partner === "Partner B") &&
      draw(`sends ${facility.facilityUuid}`).chance(0.55) &&
      modeOn(facility, 0.5, draw(`deployed ${facility.facilityUuid}`)) !== "NotDeployed",
  );

const monthly = 14;
const punctual = 40;

/**
 * Recent TDBs of sites that send in time, and one TDB of each irregularity: a restored backup, a file that was sent
 * late, a delta without a full TDB.
 */
function createRecent(facilities: DemoFacility[], sending: DemoFacility[], today: string) {
  const lately = sending.slice(monthly, monthly + punctual).map((facility, index) => {
    const day = addDays(today, -draw(`lately ${facility.facilityUuid}`).between(3, 27));
    return createTdb(facility, { day, number: 2000 + index, today });
  });
  const [restored, forgotten] = sending.slice(monthly + punctual);
  const others = facilities.filter((facility) => facility.partner === "Partner A" && !sending.includes(facility));
  const alone = others.find((facility) => modeOn(facility, 1, draw(`deployed ${facility.facilityUuid}`)) === "EFirst");
  const odd = [
    restored && { facility: restored, day: addDays(today, -9), shareOfPatients: 0.4 },
    forgotten && {
      facility: forgotten,
      day: historyStart(today),
      soon: moment(addDays(today, -6), 11, 20),
      delta: false,
    },
    alone && { facility: alone, day: addDays(today, -12), delta: true },
  ];
  return [
    ...lately,
    ...odd.flatMap((one, index) => (one ? [createTdb(one.facility, { ...one, number: 3000 + index, today })] : [])),
  ];
}

/**
 * Transport databases of the whole history. Some are always of this month; on its first day they are of the minutes
 * after midnight.
 */
export function createTdbs(facilities: DemoFacility[], today: string) {
  const sending = senders(facilities);
  const start = historyStart(today);
  const past = sending.flatMap((facility) => {
    const { between } = draw(`sending ${facility.facilityUuid}`);
    const days: string[] = [];
    for (let day = addDays(start, between(0, 200)); day < addDays(today, -1); day = addDays(day, between(100, 230)))
      days.push(day);
    return days.map((day, number) => createTdb(facility, { day, number, today }));
  });
  const monthStart = `${today.slice(0, 8)}01`;
  const recent = sending.slice(0, monthly).map((facility, index) => {
    const day = addDays(monthStart, Math.floor((index * (daysBetween(monthStart, today) + 1)) / monthly));
    const soon = day === today ? moment(day, 0, 0, index) : moment(day, 9 + (index % 7), 5 * (index % 12), index);
    return createTdb(facility, { day, number: 1000 + index, today, soon });
  });
  return [...past, ...recent, ...createRecent(facilities, sending, today)].toSorted((a, b) => {
    const keyOf = ({ tdb }: typeof a) => `${tdb.uploadedAt} ${tdb.tdbUuid}`;
    return keyOf(a) < keyOf(b) ? -1 : 1;
  });
}

const kinds = ["INSTALLER", "INSTALLER", "UPGRADER", "UPGRADER", "PATCH", "PATCH", "OTHER", "OTHER"] as const;
const offered: [name: string, fileName: string, description: string, databaseKey: string | null][] = [
  [
    "SmartCare 4.2 installer",
    "smartcare-4.2-installer.zip",
    "Made-up installer of version 4.2 for new sites",
    "DEMO0420",
  ],
  [
    "SmartCare 4.3 installer",
    "smartcare-4.3-installer.zip",
    "Made-up installer of version 4.3 for new sites",
    "DEMO0430",
  ],
  ["Upgrade 4.1 to 4.2", "smartcare-4.1-to-4.2.zip", "Made-up upgrade for sites that run 4.1", "DEMO0412"],
  ["Upgrade 4.2 to 4.3", "smartcare-4.2-to-4.3.zip", "Made-up upgrade for sites that run 4.2", "DEMO0423"],
  ["Patch for 4.3 reports", "patch-4.3.1.sql", "Made-up patch of the monthly reports", null],
  ["Patch for card readers", "patch-card-reader.bat", "Made-up patch for card readers that freeze", null],
  ["Site checklist", "site-checklist.txt", "Made-up list of what a visit looks at", null],
  ["User guide, short form", "user-guide.txt", "Made-up guide of a few lines for new staff", null],
];

/** The releases of some files: from 4.1 on, each version can be updated to the next one. */
const released: Record<string, Pick<Step, "installs" | "appliesFrom" | "appliesTo"> & { version: string }> = {
  "smartcare-4.1-to-4.2.zip": {
    version: "4.2.0",
    installs: ["library", "database"],
    appliesFrom: "4.1.0",
    appliesTo: "4.1.99",
  },
  "smartcare-4.2-to-4.3.zip": {
    version: "4.3.0",
    installs: ["library", "database"],
    appliesFrom: "4.2.0",
    appliesTo: "4.2.99",
  },
  "patch-4.3.1.sql": { version: "4.3.1", installs: ["library"], appliesFrom: "4.3.0", appliesTo: "4.3.0" },
};
const unreleased = { version: null, installs: [] as Step["installs"], appliesFrom: null, appliesTo: null };

function contentOf(fileName: string, title: string): Buffer {
  const comment = fileName.endsWith(".sql") ? "-- " : fileName.endsWith(".bat") ? "REM " : "";
  const text = Buffer.from(
    `${comment}${title}: a made-up file of the demonstration, there is nothing to install.\r\n`.repeat(40),
  );
  return fileName.endsWith(".zip") ? zip([{ name: "README.txt", content: text }]) : text;
}

/** Files of every kind to download. */
export function createDownloads(today: string) {
  return offered.map(([name, fileName, description, databaseKey], index) => {
    const downloadUuid = uuidOf(`download ${fileName}`);
    const file = { storageKey: `files/download/${downloadUuid}`, content: contentOf(fileName, name) };
    const download = {
      downloadUuid,
      author: "admin",
      uploadedAt: moment(addDays(today, -30 * (offered.length - index)), 10, 5 * index),
      fileType: kinds[index]!,
      name,
      description,
      databaseKey,
      fileName,
      ...(released[fileName] ?? unreleased),
      ...facts(file),
    };
    return { download, file };
  });
}
