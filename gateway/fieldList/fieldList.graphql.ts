import { requireRight } from "../access/access.ts";
import type { Context } from "../context.ts";
import { readConnection } from "../graphql/connection.ts";
import { builder } from "../graphql/builder.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode, uuidId } from "../graphql/node.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse } from "../input/parse.ts";
import type { InputError } from "../problem.ts";
import * as acts from "./fieldList.ts";
import { changeFieldListRules, fieldListFilterRules, newFieldListRules } from "./fieldList.rules.ts";

/** GraphQL types, fields and mutations of field lists. Their sites are `facilities(filter: { fieldList })`. */

const needs = "Needs editAssessments or administrator.";

const FieldList = builder.objectRef<acts.FieldList>("FieldList");
builder.node(FieldList, {
  description: "A named list of sites that somebody visits. Its sites are `facilities(filter: { fieldList: uuid })`.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => acts.readFieldList(context, uuidId(id, "field list"))),
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "Its uuid." }),
    name: t.exposeString("name", { description: "Unique among its owner's." }),
    shared: t.exposeBoolean("shared", { description: "Whether everybody who may assess sees it." }),
    ownerUserName: t.exposeString("ownerUserName", { description: "The user name of who made it." }),
    own: t.exposeBoolean("own", { description: "Whether the viewer made it." }),
    changeable: t.exposeBoolean("changeable", {
      description: "Whether the viewer may change it: who made it, and administrators a shared one.",
    }),
    sites: t.exposeInt("sites", { description: "How many sites are on it, with closed ones." }),
    closedSites: t.exposeInt("closedSites", { description: "How many of them are closed." }),
    districtIds: t.exposeIntList("districtIds", { description: "The districts of its open sites." }),
    madeDate: t.field({
      type: "Date",
      description: "Day on which it was made.",
      resolve: ({ madeDate }) => madeDate,
    }),
  }),
});

builder.queryFields((t) => ({
  fieldLists: t.connection({
    type: FieldList,
    nullable: true,
    description: `The viewer's own field lists and those that others share, by name. ${needs}`,
    args: {
      search: t.arg.string({ description: "Part of the name." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { search, ...page }, context, info) =>
      readConnection(
        acts.listFieldLists,
        context,
        { ...parse(fieldListFilterRules, { search }), page: parse(connectionRules, page) },
        info,
      ),
  }),
  fieldList: t.field({
    type: FieldList,
    nullable: true,
    description: `A field list: the viewer's own, or a shared one. ${needs}`,
    args: { uuid: t.arg.string({ required: true, description: "Of the list." }) },
    resolve: (_, { uuid }, context) => acts.readFieldList(context, uuidId(uuid, "field list")),
  }),
}));

const CreateFieldListInput = builder.inputType("CreateFieldListInput", {
  description: "A list to make.",
  fields: (t) => ({
    name: t.string({ required: true, description: "At most 128 characters, unique among one's own." }),
    shared: t.boolean({ description: "Whether everybody who may assess sees it." }),
  }),
});
const ChangeFieldListInput = builder.inputType("ChangeFieldListInput", {
  description: "What changes of a list. What is left out stays.",
  fields: (t) => ({
    uuid: t.string({ required: true, description: "Of the list." }),
    name: t.string({ description: "At most 128 characters, unique among its owner's." }),
    shared: t.boolean({ description: "Whether everybody who may assess sees it." }),
  }),
});

const FieldListPayload = builder
  .objectRef<{ fieldList?: acts.FieldList; errors: InputError[] }>("FieldListPayload")
  .implement({
    description: "The field list that was made, changed or deleted.",
    fields: (t) => ({
      fieldList: t.field({
        type: FieldList,
        nullable: true,
        description: "The list.",
        resolve: ({ fieldList }) => fieldList,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });

/** The right is checked before the input. */
const changed = (context: Context, act: () => Promise<acts.FieldList>) =>
  withErrors(async () => {
    requireRight(context, "editAssessments", "somewhere");
    return { fieldList: await act() };
  });

builder.mutationFields((t) => ({
  createFieldList: t.field({
    type: FieldListPayload,
    description: `Makes an empty field list. ${needs}`,
    args: { input: t.arg({ type: CreateFieldListInput, required: true, description: "The list." }) },
    resolve: (_, { input }, context) =>
      changed(context, () => acts.createFieldList(context, parse(newFieldListRules, input))),
  }),
  changeFieldList: t.field({
    type: FieldListPayload,
    description: `Renames a field list, or shares it or no longer: one's own, or for administrators a shared one. ${needs}`,
    args: { input: t.arg({ type: ChangeFieldListInput, required: true, description: "What changes." }) },
    resolve: (_, { input }, context) =>
      changed(context, () => acts.changeFieldList(context, parse(changeFieldListRules, input))),
  }),
  deleteFieldList: t.field({
    type: FieldListPayload,
    description: `Deletes a field list, not its sites: one's own, or for administrators a shared one. ${needs}`,
    args: { uuid: t.arg.string({ required: true, description: "Of the list." }) },
    resolve: (_, { uuid }, context) =>
      changed(context, () => acts.deleteFieldList(context, uuidId(uuid, "field list"))),
  }),
}));
