import { readConnection } from "../graphql/connection.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode, uuidId } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import * as views from "./view.ts";
import { newViewRules, viewFilterRules } from "./view.rules.ts";

/** GraphQL types, fields and mutations of saved views. */

const SavedView = builder.objectRef<views.SavedView>("SavedView");
builder.node(SavedView, {
  description:
    "The saved address of a list in the web application, with a name. Each person sees what their own rights allow.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => views.readSavedView(context, uuidId(id, "saved view"))),
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Its uuid." }),
    name: t.exposeString("name", { description: "Unique among its owner's." }),
    address: t.exposeString("address", { description: "Path and search parameters of the list." }),
    shared: t.exposeBoolean("shared", { description: "Whether everybody who is signed in sees it." }),
    ownerUserName: t.exposeString("ownerUserName", { description: "The user name of who made it." }),
    own: t.exposeBoolean("own", { description: "Whether the viewer made it." }),
    removable: t.exposeBoolean("removable", {
      description: "Whether the viewer may remove it: who made it, and administrators a shared one.",
    }),
    missing: t.exposeString("missing", {
      nullable: true,
      description: "What the address names and is not there any more: province, district or implementing partner.",
    }),
    closed: t.exposeString("closed", {
      nullable: true,
      description: "What the address names and was closed: province, district or implementing partner.",
    }),
    createdDate: t.field({
      type: "Date",
      description: "Day on which it was saved.",
      resolve: ({ createdDate }) => createdDate,
    }),
  }),
});

builder.queryFields((t) => ({
  savedViews: t.connection({
    type: SavedView,
    description: "The viewer's own saved views of lists and those that others share, by name.",
    args: {
      mine: t.arg.boolean({ description: "Only the viewer's own." }),
      search: t.arg.string({ description: "Part of the name." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { mine, search, ...page }, context, info) =>
      readConnection(
        views.listSavedViews,
        context,
        { ...parse(viewFilterRules, { mine, search }), page: parse(connectionRules, page) },
        info,
      ),
  }),
}));

const CreateSavedViewInput = builder.inputType("CreateSavedViewInput", {
  description: "A list to save.",
  fields: (t) => ({
    name: t.string({ required: true, description: "At most 128 characters, unique among one's own." }),
    address: t.string({
      required: true,
      description: "Path and search parameters of a list in the web application, such as /facilities?silent=yes.",
    }),
    shared: t.boolean({ description: "Whether everybody who is signed in sees it." }),
  }),
});

type Changed = { savedView?: views.SavedView; errors: InputError[] };
const payload = (name: string, about: string) =>
  builder.objectRef<Changed>(name).implement({
    description: about,
    fields: (t) => ({
      savedView: t.field({
        type: SavedView,
        nullable: true,
        description: about,
        resolve: ({ savedView }) => savedView,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const CreateSavedViewPayload = payload("CreateSavedViewPayload", "The view as it was saved.");
const DeleteSavedViewPayload = payload("DeleteSavedViewPayload", "The view that was removed.");

builder.mutationFields((t) => ({
  createSavedView: t.field({
    type: CreateSavedViewPayload,
    description: "Keeps the address of a list under a name.",
    args: { input: t.arg({ type: CreateSavedViewInput, required: true, description: "The view." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({ savedView: await views.createSavedView(context, parse(newViewRules, input)) })),
  }),
  deleteSavedView: t.field({
    type: DeleteSavedViewPayload,
    description: "Removes a saved view: one's own, or for administrators a shared one.",
    args: { uuid: t.arg.string({ required: true, description: "Of the saved view." }) },
    resolve: (_, { uuid }, context) =>
      withErrors(async () => ({ savedView: await views.deleteSavedView(context, uuidId(uuid, "saved view")) })),
  }),
}));
