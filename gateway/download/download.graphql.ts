import { builder } from "../graphql/builder.ts";
import { connectionOf } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode } from "../graphql/node.ts";
import { connectionRules } from "../page.rules.ts";
import { parse } from "../parse.ts";
import { type InputError, Problem } from "../problem.ts";
import * as download from "./download.ts";
import { downloadFormRules, type FileType, fileTypes } from "./download.rules.ts";

/** Files that are handed out. */

const DownloadType = builder.enumType("DownloadFileType", { values: fileTypes });

const Download = builder.objectRef<download.DownloadRow>("Download");
builder.node(Download, {
  description: "An installer, upgrader, patch or other file to download.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => download.readDownload(context, id)),
  fields: (t) => ({
    uuid: t.exposeString("uuid"),
    number: t.exposeInt("id", { description: "The `id` of the REST calls." }),
    uploadDate: t.field({ type: "Date", resolve: ({ uploadDate }) => uploadDate }),
    name: t.exposeString("name"),
    description: t.exposeString("description"),
    fileName: t.exposeString("fileName", { description: "Name under which it is saved." }),
    size: t.exposeFloat("size", { description: "Bytes." }),
    fileType: t.field({ type: DownloadType, resolve: ({ fileType }) => fileType }),
    sha256: t.exposeString("sha256", { description: "SHA-256 of the file, in hexadecimal." }),
    databaseKey: t.exposeString("databaseKey", { nullable: true, description: "Null for all but administrators." }),
  }),
});

builder.queryField("downloads", (t) =>
  t.connection({
    type: Download,
    nullable: true,
    description: "By kind and name. Needs accessDownloads or administrator.",
    args: { fileType: t.arg({ type: DownloadType }), offset: t.arg.int() },
    resolve: async (_, { fileType, ...page }, context) =>
      connectionOf(await download.listDownloads(context, { fileType: fileType as FileType | null, page: parse(connectionRules, page) })),
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

const AddDownloadInput = builder.inputType("AddDownloadInput", {
  fields: (t) => ({
    file: t.field({ type: "Upload", required: true }),
    fileName: t.string({ description: "6 to 48 characters; the file's own name without it." }),
    fileDescription: t.string({ required: true, description: "12 to 128 characters." }),
    fileType: t.field({ type: DownloadType, required: true }),
    dbKey: t.string({ description: "8 characters, for installers and upgraders only." }),
  }),
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
        // The fields came before the file: nothing is stored for a form that is refused.
        const form = parse(downloadFormRules, { ...rest, fileName: fileName || upload.filename }, "input");
        const arrived = await download.receiveDownload(context, { fileName: upload.filename ?? "", content: upload.createReadStream() });
        try {
          return { download: await download.addDownload(context, arrived, form) };
        } finally {
          await download.dropDownload(arrived);
        }
      }, ["STORAGE_FULL", "STORAGE_AWAY", "MALFORMED"]),
  }),
  withdrawDownload: t.field({
    type: WithdrawDownloadPayload,
    description: "Takes a file off the list; it is kept. Needs administrator.",
    args: { uuid: t.arg.string({ required: true }) },
    resolve: (_, { uuid }, context) => withErrors(async () => ({ download: await download.withdrawDownload(context, uuid) })),
  }),
}));
