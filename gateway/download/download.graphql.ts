import { builder } from "../graphql/builder.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode, uuidOfInput } from "../graphql/node.ts";
import { sortEnum } from "../graphql/enums.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import { type InputError, Problem } from "../problem.ts";
import { User } from "../user/user.graphql.ts";
import { loadUser } from "../user/user.ts";
import * as download from "./download.ts";
import { downloadFilterRules, downloadFormRules, type FileType } from "./download.rules.ts";
import { type Channel, type DownloadPart, releaseRules } from "./release.rules.ts";

/** Files to download. */

const DownloadType = builder.enumType("DownloadFileType", {
  description: "What a file is for.",
  values: {
    INSTALLER: { description: "A new installation of SmartCare; needs its database key." },
    UPGRADER: { description: "Brings an installation to a newer version; needs its database key." },
    PATCH: { description: "Mends an installation." },
    OTHER: { description: "Anything else." },
  } satisfies Record<FileType, { description: string }>,
});

export const DownloadPartEnum = builder.enumType("DownloadPart", {
  description: "What a file installs.",
  values: {
    LIBRARY: { value: "library", description: "The SmartCare library." },
    DATABASE: { value: "database", description: "The SmartCare database." },
  } satisfies Record<string, { value: DownloadPart; description: string }>,
});

export const ReleaseChannel = builder.enumType("ReleaseChannel", {
  description: "Whom a file or rollout is meant for.",
  values: {
    GENERAL: { value: "general", description: "For every site." },
    PILOT: { value: "pilot", description: "Only for rollouts of this channel." },
  } satisfies Record<string, { value: Channel; description: string }>,
});

const DownloadSort = sortEnum("DownloadSort", "An order of files.", {
  fileType: ["FILE_TYPE", "kind, then name"],
  name: ["NAME", "name"],
  uploaded: ["UPLOADED", "time at which it was added"],
  size: ["SIZE", "size"],
});

export const Download = builder.objectRef<download.DownloadRow>("Download");
builder.node(Download, {
  description: "An installer, upgrader, patch or other file to download.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => download.loadDownload(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("uuid"),
    user: t.field({
      type: User,
      nullable: true,
      description: "Who added it; null except for oneself and the people one manages.",
      resolve: ({ userUuid }, _, context) => loadUser(context, userUuid),
    }),
    number: t.exposeInt("id", { description: "The `id` of the REST calls." }),
    uploadDate: t.field({ type: "Date", resolve: ({ uploadDate }) => uploadDate }),
    name: t.exposeString("name"),
    description: t.exposeString("description"),
    fileName: t.exposeString("fileName", { description: "Name under which it is saved." }),
    size: t.exposeFloat("size", { description: "Bytes." }),
    fileType: t.field({ type: DownloadType, resolve: ({ fileType }) => fileType }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of the file, in hexadecimal." }),
    version: t.exposeString("version", {
      nullable: true,
      description: "The version that a site runs after it; null for a file of no release.",
    }),
    installs: t.field({
      type: [DownloadPartEnum],
      description: "What it installs; nothing for a file without a version.",
      resolve: ({ installs }) => installs,
    }),
    appliesFrom: t.exposeString("appliesFrom", {
      nullable: true,
      description: "The oldest version that it can be applied to; null: any.",
    }),
    appliesTo: t.exposeString("appliesTo", {
      nullable: true,
      description: "The newest version that it can be applied to; null: any older than its own.",
    }),
    channel: t.field({ type: ReleaseChannel, description: "Whom it is meant for.", resolve: ({ channel }) => channel }),
    requiredSince: t.field({
      type: "Date",
      nullable: true,
      description: "Since this day sites with an older version count as having an old version.",
      resolve: ({ requiredSince }) => requiredSince,
    }),
    databaseKey: t.exposeString("databaseKey", { nullable: true, description: "Null for all but administrators." }),
  }),
});

builder.queryField("downloads", (t) =>
  t.connection({
    type: Download,
    nullable: true,
    description: "By kind and name. Needs accessDownloads or administrator.",
    args: {
      fileType: t.arg({ type: DownloadType, description: "Only files of this kind." }),
      search: t.arg.string({
        description: "Part of the name or description; case, accents and apostrophes do not count.",
      }),
      start: t.arg({ type: "Date", description: "First day on which it was added." }),
      end: t.arg({ type: "Date", description: "Last day on which it was added, included." }),
      sort: t.arg({ type: DownloadSort, description: "By kind and name unless given." }),
      offset: t.arg.int(),
    },
    resolve: (_, { fileType, search, start, end, sort, ...page }, context, info) => {
      const filter = parse(downloadFilterRules, { fileType, search, start, end });
      return readConnection(
        download.listDownloads,
        context,
        { ...filter, sort, page: parse(connectionRules, page) },
        info,
      );
    },
  }),
);

type Changed = { download?: download.DownloadRow; errors: InputError[] };
const payload = (name: string) =>
  builder.objectRef<Changed>(name).implement({
    fields: (t) => ({
      download: t.field({ type: Download, nullable: true, resolve: (changed) => changed.download }),
      errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
    }),
  });
const AddDownloadPayload = payload("AddDownloadPayload");
const WithdrawDownloadPayload = payload("WithdrawDownloadPayload");
const SetDownloadReleasePayload = payload("SetDownloadReleasePayload");

const SetDownloadReleaseInput = builder.inputType("SetDownloadReleaseInput", {
  description: "Which version a file brings a site to. It replaces what was set: what is not given is then none.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The download's id, or its uuid." }),
    version: t.string({
      description: "The version that a site runs after it; without one the file belongs to no release.",
    }),
    installs: t.field({ type: [DownloadPartEnum], description: "What it installs." }),
    appliesFrom: t.string({ description: "The oldest version that it can be applied to; without one any." }),
    appliesTo: t.string({
      description: "The newest version that it can be applied to; without one any older than its own.",
    }),
    channel: t.field({ type: ReleaseChannel, defaultValue: "general", description: "Whom it is meant for." }),
    requiredSince: t.field({
      type: "Date",
      description: "Since this day sites with an older version count as having an old version.",
    }),
  }),
});

const AddDownloadInput = builder.inputType("AddDownloadInput", {
  fields: (t) => ({
    file: t.field({ type: "Upload", required: true }),
    fileName: t.string({ description: "6 to 48 characters; the file's own name without it." }),
    fileDescription: t.string({ required: true, description: "12 to 128 characters." }),
    fileType: t.field({ type: DownloadType, required: true }),
    dbKey: t.string({ description: "8 characters, for installers and upgraders only." }),
  }),
});

const WithdrawDownloadInput = builder.inputType("WithdrawDownloadInput", {
  description: "The file to take off the list.",
  fields: (t) => ({ id: t.id({ required: true, description: "The download's id, or its uuid." }) }),
});

builder.mutationFields((t) => ({
  addDownload: t.field({
    type: AddDownloadPayload,
    description: "Adds a file. Needs administrator.",
    args: { input: t.arg({ type: AddDownloadInput, required: true }) },
    resolve: (_, { input: { file, fileName, ...rest } }, context) =>
      withErrors(async () => {
        download.checkMayAddDownload(context);
        const upload = await file.catch((error: Error) => {
          throw new Problem("MALFORMED", error.message);
        });
        // The fields arrive before the file, so they are checked before anything is stored.
        const form = parse(downloadFormRules, { ...rest, fileName: fileName || upload.filename }, "input");
        const arrived = await download.receiveDownload(context, {
          fileName: upload.filename ?? "",
          content: upload.createReadStream(),
        });
        try {
          return { download: await download.addDownload(context, arrived, form) };
        } finally {
          await download.dropDownload(arrived);
        }
      }, ["STORAGE_FULL", "STORAGE_AWAY", "MALFORMED"]),
  }),
  setDownloadRelease: t.field({
    type: SetDownloadReleasePayload,
    description: "Sets which version a file brings a site to. Needs administrator.",
    args: { input: t.arg({ type: SetDownloadReleaseInput, required: true, description: "The release." }) },
    resolve: (_, { input: { id, installs, channel, ...rest } }, context) =>
      withErrors(async () => {
        download.checkMayAddDownload(context);
        const release = parse(releaseRules, { ...rest, installs: installs ?? [], channel: channel ?? "general" });
        return { download: await download.setRelease(context, uuidOfInput("Download", { input: { id } }), release) };
      }),
  }),
  withdrawDownload: t.field({
    type: WithdrawDownloadPayload,
    description: "Takes a file off the list; it is kept. Needs administrator.",
    args: {
      input: t.arg({ type: WithdrawDownloadInput, description: "Which one. Required, unless uuid is given." }),
      uuid: t.arg.string({ deprecationReason: "input is the same, and takes an id too. Goes on 1 July 2027." }),
    },
    resolve: (_, asked, context) =>
      withErrors(async () => ({ download: await download.withdrawDownload(context, uuidOfInput("Download", asked)) })),
  }),
}));
