import { Readable } from "node:stream";

import type { FileUpload } from "graphql-upload-minimal";

import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { type InputError, Problem } from "../problem.ts";
import { type IncomingFile, receiveTdbs } from "./receive.ts";
import { Tdb } from "./tdb.graphql.ts";
import { loadTdb, previewTdb } from "./tdb.ts";
import {
  type TdbReceipt as Receipt,
  tdbPreviewRules,
  unfinishedListRules,
  type UnfinishedUpload as UnfinishedUploadRow,
} from "./tdb.rules.ts";
import { listUnfinishedUploads } from "./unfinished.ts";
import { parse } from "../input/parse.ts";
import { heldAbout } from "../input/setAside.rules.ts";
import { Facility } from "../facility/facility.graphql.ts";
import { loadFacility } from "../facility/facility.ts";

/** Uploads of transport databases by GraphQL, and the preview of a file before it is sent. */

const TdbReceipt = builder.objectRef<Receipt>("TdbReceipt").implement({
  description: "What became of one file.",
  fields: (t) => ({
    fileName: t.exposeString("fileName"),
    accepted: t.exposeBoolean("accepted"),
    duplicate: t.exposeBoolean("duplicate", {
      description: "The content was received before: the rest names that upload.",
    }),
    tdb: t.field({
      type: Tdb,
      nullable: true,
      resolve: ({ uuid }, _, context) => (uuid === null ? null : loadTdb(context, uuid)),
    }),
    reference: t.exposeInt("reference", { nullable: true, description: "Number of the receipt." }),
    facilityUuid: t.exposeString("facilityUuid", { nullable: true }),
    facility: t.exposeString("facility", { nullable: true }),
    sha256: t.exposeString("sha256", { nullable: true, description: "Of the bytes received, in hexadecimal." }),
    size: t.exposeFloat("size", { nullable: true, description: "Bytes." }),
    uploadDate: t.field({ type: "Date", nullable: true, resolve: ({ uploadDate }) => uploadDate }),
    uploadTime: t.exposeString("uploadTime", { nullable: true }),
    held: t.exposeString("held", { nullable: true, description: `${heldAbout}.` }),
    error: t.string({
      nullable: true,
      description: "Why it was not accepted.",
      resolve: ({ error }) => error?.message,
    }),
  }),
});

type Uploaded = { receipts?: Receipt[]; errors: InputError[] };
const UploadTdbsPayload = builder.objectRef<Uploaded>("UploadTdbsPayload").implement({
  fields: (t) => ({
    receipts: t.field({
      type: [TdbReceipt],
      description: "One for each file, in the order of the files.",
      resolve: ({ receipts }) => receipts ?? [],
    }),
    errors: t.field({ type: [InputErrorType], resolve: ({ errors }) => errors }),
  }),
});
const UploadTdbsInput = builder.inputType("UploadTdbsInput", {
  fields: (t) => ({ files: t.field({ type: ["Upload"], required: true }) }),
});

/** The stream of a file. It fails if the form was cut off before this file. */
function contentOf(file: FileUpload): Readable {
  try {
    return file.createReadStream();
  } catch (error) {
    return new Readable({
      read() {
        this.destroy(error as Error);
      },
    });
  }
}

/** The files in the order of the form's parts, which need not be the order of the variables. */
async function* arriving(uploads: Promise<FileUpload>[]): AsyncGenerator<IncomingFile> {
  const broken = (error: Error) => {
    throw new Problem("MALFORMED", error.message);
  };
  const waiting = new Map(
    [...new Set(uploads)].map((upload) => [upload, upload.then((file) => ({ upload, file }), broken)]),
  );
  while (waiting.size > 0) {
    const { upload, file } = await Promise.race(waiting.values());
    waiting.delete(upload);
    yield { fileName: file.filename ?? "", content: contentOf(file) };
  }
}

/**
 * The result of each file, including those before a failure that ended the request, because they are kept. A failure
 * that belongs to no file is added at the end.
 */
async function receiveAll(context: Context, files: AsyncIterable<IncomingFile>): Promise<Uploaded> {
  const uploaded = (receipts: Receipt[]) => ({
    receipts,
    errors: receipts.flatMap(({ error }, index) =>
      error ? [{ path: `input.files.${index}`, message: error.message }] : [],
    ),
  });
  try {
    return uploaded(await receiveTdbs(context, files));
  } catch (error) {
    if (!(error instanceof Problem) || !error.extra.files) throw error;
    const { receipts, errors } = uploaded(error.extra.files as Receipt[]);
    const isNamed = errors.at(-1)?.message === error.message;
    return {
      receipts,
      errors: isNamed ? errors : [...errors, { path: `input.files.${receipts.length}`, message: error.message }],
    };
  }
}

builder.mutationField("uploadTdbs", (t) =>
  t.field({
    type: UploadTdbsPayload,
    description:
      "Receives transport databases, each by itself. Needs uploadTdbs or administrator. At most 30 GB in all. When the request cannot go on (no room left, the form breaks off), the receipts end with the file it stopped at; those before are kept.",
    args: { input: t.arg({ type: UploadTdbsInput, required: true }) },
    resolve: async (_, { input }, context) => {
      const { received, errors } = await withErrors(async () => ({
        received: await receiveAll(context, arriving(input.files as Promise<FileUpload>[])),
      }));
      return received ?? { errors };
    },
  }),
);

type Preview = Awaited<ReturnType<typeof previewTdb>>;
const TdbPreview = builder.objectRef<Preview>("TdbPreview").implement({
  description: "What the platform knows of a file that was not sent yet.",
  fields: (t) => ({
    facility: t.field({
      type: Facility,
      nullable: true,
      resolve: ({ facilityUuid }, _, context) => (facilityUuid === null ? null : loadFacility(context, facilityUuid)),
    }),
    warning: t.string({ nullable: true, description: "Why it would be rejected.", resolve: ({ warning }) => warning }),
    received: t.field({
      type: Tdb,
      nullable: true,
      description: "A TDB that was received and looks the same: facility, creation, clients and size are equal.",
      resolve: ({ received }) => received,
    }),
  }),
});

builder.queryField("tdbPreview", (t) =>
  t.field({
    type: TdbPreview,
    nullable: true,
    description: "What would become of a file with this manifest. Needs uploadTdbs or administrator.",
    args: {
      facilityUuid: t.arg.string(),
      hmisCode: t.arg.string(),
      createdAt: t.arg.string({ required: true }),
      delta: t.arg.boolean({ required: true }),
      totalPatients: t.arg.int({ required: true }),
      fileSize: t.arg.float({ required: true }),
    },
    resolve: (_, args, context) => previewTdb(context, parse(tdbPreviewRules, args)),
  }),
);

const UnfinishedUpload = builder.objectRef<UnfinishedUploadRow>("UnfinishedUpload").implement({
  description: "An upload in parts (tus) that its sender can go on with from any device that has the file.",
  fields: (t) => ({
    uuid: t.exposeString("uuid"),
    fileName: t.exposeString("fileName"),
    size: t.exposeFloat("size", { description: "Bytes of the whole file." }),
    received: t.exposeFloat("received", { description: "Bytes that are here, from the beginning on." }),
    beganAt: t.exposeString("beganAt", { description: "ISO 8601 instant." }),
    lastByteAt: t.exposeString("lastByteAt", {
      nullable: true,
      description: "ISO 8601 instant; null while nothing has come.",
    }),
    expiresAt: t.exposeString("expiresAt", {
      description: "ISO 8601 instant after which it is removed if nothing more comes.",
    }),
    sha256: t.exposeString("sha256", {
      nullable: true,
      description: "In hexadecimal, of a file that was taken in; null before.",
    }),
  }),
});

builder.queryField("unfinishedUploads", (t) =>
  t.field({
    type: [UnfinishedUpload],
    description: "The viewer's own unfinished uploads, the newest first. Needs uploadTdbs or administrator.",
    args: {
      size: t.arg.float({
        description:
          "Only uploads of this many bytes, and those of this size that the viewer sent lately and that were accepted.",
      }),
    },
    resolve: (_, args, context) =>
      listUnfinishedUploads(context, parse(unfinishedListRules, { size: args.size ?? undefined }).size),
  }),
);
