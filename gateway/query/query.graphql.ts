import type { GraphQLSchema } from "graphql";

import type { Context } from "../context.ts";
import { builder } from "../graphql/builder.ts";
import { checkQuestion } from "../graphql/limits/check.ts";
import { readConnection } from "../graphql/connection.ts";
import { InputErrorType, withErrors } from "../graphql/errors.ts";
import { loadNode, uuidId, uuidOfInput } from "../graphql/node.ts";
import { parametersOf } from "../graphql/parameters.ts";
import { connectionRules } from "../input/page.rules.ts";
import { parse, refuseDeep } from "../input/parse.ts";
import { type InputError, invalid } from "../problem.ts";
import type { Question, QuestionParameter } from "../reading/questions.ts";
import * as saved from "./query.ts";
import { changedQueryRules, newQueryRules, pathOfQuery, queryFilterRules } from "./query.rules.ts";

/** Saved queries. */

const SavedQueryParameter = builder.objectRef<QuestionParameter>("SavedQueryParameter").implement({
  description: "A variable of a saved query, as a parameter of its address.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "As in the query and in the address." }),
    type: t.exposeString("type", { description: "As in the query: String, Int!, [FunctionalityStatusMode!], …" }),
    required: t.exposeBoolean("required", { description: "Whether there is no answer without it." }),
    value: t.string({
      nullable: true,
      description: "Its value if none is given, as JSON text.",
      resolve: ({ value }) => (value === null ? null : JSON.stringify(value)),
    }),
    choices: t.exposeStringList("choices", {
      nullable: true,
      description: "The values that it may have, where they are few.",
    }),
  }),
});

const SavedQuery = builder.objectRef<saved.SavedQuery>("SavedQuery");
builder.node(SavedQuery, {
  description:
    "A saved GraphQL query: its name, its text and the values of its variables. It runs with the rights of the person who runs it.",
  id: { resolve: ({ uuid }) => uuid },
  loadOne: loadNode((id, context) => saved.readSavedQuery(context, uuidId(id, "saved query"))),
  fields: (t) => ({
    uuid: t.exposeString("uuid", { description: "The last part of its address." }),
    path: t.string({
      description: "Its address at this gateway: answered as JSON, and with .csv at the end as a spreadsheet.",
      resolve: ({ uuid }) => pathOfQuery(uuid),
    }),
    name: t.exposeString("name", { description: "Unique among its owner's." }),
    description: t.exposeString("description", {
      nullable: true,
      description: "What it answers, in its owner's words.",
    }),
    query: t.exposeString("query", { description: "The GraphQL query." }),
    variables: t.string({
      nullable: true,
      description: "Values of its variables, as JSON text.",
      resolve: ({ variables }) => (variables === null ? null : JSON.stringify(variables)),
    }),
    parameters: t.field({
      type: [SavedQueryParameter],
      description: "What its address takes as parameters: its variables.",
      resolve: (question, _, __, { schema }) => parametersOf(schema, question),
    }),
    operationName: t.exposeString("operationName", {
      nullable: true,
      description: "Which of its operations runs, where it has several.",
    }),
    shared: t.exposeBoolean("shared", { description: "Whether everybody who is signed in may see and run it." }),
    ownerUserName: t.exposeString("ownerUserName", { description: "The user name of its owner." }),
    own: t.exposeBoolean("own", { description: "Whether the viewer keeps it." }),
    pinned: t.exposeBoolean("pinned", { description: "Whether the viewer pinned it to Home." }),
    editable: t.exposeBoolean("editable", {
      description: "Whether the viewer may change or remove it: its owner or an administrator.",
    }),
    createdDate: t.field({
      type: "Date",
      description: "Day on which it was saved.",
      resolve: ({ createdDate }) => createdDate,
    }),
    changedDate: t.field({
      type: "Date",
      description: "Day of its last change.",
      resolve: ({ changedDate }) => changedDate,
    }),
  }),
});

builder.queryFields((t) => ({
  savedQueries: t.connection({
    type: SavedQuery,
    description: "The viewer's own saved queries and those that others share, by name.",
    args: {
      mine: t.arg.boolean({ description: "Only the viewer's own." }),
      pinned: t.arg.boolean({ description: "Only those that the viewer pinned to Home, or did not." }),
      search: t.arg.string({ description: "Part of the name." }),
      offset: t.arg.int({ description: "Rows to skip, for numbered pages." }),
    },
    resolve: (_, { mine, pinned, search, ...page }, context, info) =>
      readConnection(
        saved.listSavedQueries,
        context,
        { ...parse(queryFilterRules, { mine, pinned, search }), page: parse(connectionRules, page) },
        info,
      ),
  }),
  savedQuery: t.field({
    type: SavedQuery,
    nullable: true,
    description: "One's own, or one that is shared; an administrator sees every one.",
    args: { uuid: t.arg.string({ required: true, description: "The last part of its address." }) },
    resolve: (_, { uuid }, context) => saved.readSavedQuery(context, uuidId(uuid, "saved query")),
  }),
}));

const texts = {
  description: "What it answers, at most 512 characters.",
  variables: "Values of its variables: the JSON text of an object.",
  operationName: "Which operation to run, where the query has several.",
  shared: "Whether everybody who is signed in may see and run it.",
};

const CreateSavedQueryInput = builder.inputType("CreateSavedQueryInput", {
  description: "A query to save.",
  fields: (t) => ({
    name: t.string({ required: true, description: "At most 128 characters, unique among one's own." }),
    query: t.string({ required: true, description: "A GraphQL query, at most 20,000 characters." }),
    description: t.string({ description: texts.description }),
    variables: t.string({ description: texts.variables }),
    operationName: t.string({ description: texts.operationName }),
    shared: t.boolean({ description: texts.shared }),
  }),
});
const UpdateSavedQueryInput = builder.inputType("UpdateSavedQueryInput", {
  description: "What is not given stays.",
  fields: (t) => ({
    uuid: t.string({ required: true, description: "Of the saved query." }),
    name: t.string({ description: "At most 128 characters, unique among its owner's." }),
    query: t.string({ description: "A GraphQL query, at most 20,000 characters." }),
    description: t.string({ description: texts.description }),
    variables: t.string({ description: texts.variables }),
    operationName: t.string({ description: texts.operationName }),
    shared: t.boolean({ description: texts.shared }),
  }),
});

const DeleteSavedQueryInput = builder.inputType("DeleteSavedQueryInput", {
  description: "The query to remove.",
  fields: (t) => ({ id: t.id({ required: true, description: "The saved query's id, or its uuid." }) }),
});

const PinSavedQueryInput = builder.inputType("PinSavedQueryInput", {
  description: "A saved query, and whether it is on Home.",
  fields: (t) => ({
    id: t.id({ required: true, description: "The saved query's id, or its uuid." }),
    pinned: t.boolean({ required: true, description: "true: it is pinned. false: it is removed from Home." }),
  }),
});

type Changed = { savedQuery?: saved.SavedQuery; errors: InputError[] };
const payload = (name: string, about: string) =>
  builder.objectRef<Changed>(name).implement({
    description: about,
    fields: (t) => ({
      savedQuery: t.field({
        type: SavedQuery,
        nullable: true,
        description: about,
        resolve: ({ savedQuery }) => savedQuery,
      }),
      errors: t.field({
        type: [InputErrorType],
        description: "What was wrong with the input; empty when it was done.",
        resolve: ({ errors }) => errors,
      }),
    }),
  });
const CreateSavedQueryPayload = payload("CreateSavedQueryPayload", "The query as it was saved.");
const UpdateSavedQueryPayload = payload("UpdateSavedQueryPayload", "The query as it is now.");
const PinSavedQueryPayload = payload("PinSavedQueryPayload", "The query as it is now.");
const DeleteSavedQueryPayload = payload("DeleteSavedQueryPayload", "The query that was removed.");

/** The input with its variables, which are JSON text, parsed. @throws Problem INVALID */
function withVariables<Input extends { variables?: string | null }>({ variables, ...rest }: Input) {
  if (variables === undefined) return rest;
  let value: unknown = null;
  try {
    if (variables !== null && variables.trim() !== "") value = JSON.parse(variables);
  } catch {
    throw invalid([{ path: "variables", message: "is not JSON" }]);
  }
  refuseDeep(value, "variables");
  return { ...rest, variables: value };
}

/** Checks a query as if it was sent: by the schema, its limits, and the present size of the tables that it reads. */
const checkedBy =
  (schema: GraphQLSchema, { statistics }: Context) =>
  (question: Question): InputError[] =>
    checkQuestion(schema, question, statistics?.() ?? null);

builder.mutationFields((t) => ({
  createSavedQuery: t.field({
    type: CreateSavedQueryPayload,
    description: "Keeps a query under a name; it is checked against the schema first.",
    args: { input: t.arg({ type: CreateSavedQueryInput, required: true, description: "The query." }) },
    resolve: (_, { input }, context, { schema }) =>
      withErrors(async () => {
        const values = parse(newQueryRules, withVariables(input));
        return { savedQuery: await saved.createSavedQuery(context, values, checkedBy(schema, context)) };
      }),
  }),
  updateSavedQuery: t.field({
    type: UpdateSavedQueryPayload,
    description: "Changes a saved query. For its owner and administrators.",
    args: { input: t.arg({ type: UpdateSavedQueryInput, required: true, description: "The changes." }) },
    resolve: (_, { input: { uuid, ...input } }, context, { schema }) =>
      withErrors(async () => {
        const id = uuidId(uuid, "saved query");
        const changes = parse(changedQueryRules, withVariables(input));
        return { savedQuery: await saved.updateSavedQuery(context, id, changes, checkedBy(schema, context)) };
      }),
  }),
  pinSavedQuery: t.field({
    type: PinSavedQueryPayload,
    description: "Pins a saved query to the viewer's own Home, or removes it from there.",
    args: { input: t.arg({ type: PinSavedQueryInput, required: true, description: "Which one." }) },
    resolve: (_, { input }, context) =>
      withErrors(async () => ({
        savedQuery: await saved.pinSavedQuery(
          context,
          uuidId(uuidOfInput("SavedQuery", { input }), "saved query", "id"),
          input.pinned,
        ),
      })),
  }),
  deleteSavedQuery: t.field({
    type: DeleteSavedQueryPayload,
    description: "Removes a saved query and its address. For its owner and administrators.",
    args: {
      input: t.arg({ type: DeleteSavedQueryInput, description: "Which one. Required, unless uuid is given." }),
      uuid: t.arg.string({
        description: "Of the saved query.",
        deprecationReason: "input is the same, and takes an id too. Goes on 1 July 2027.",
      }),
    },
    resolve: (_, asked, context) =>
      withErrors(async () => ({
        savedQuery: await saved.deleteSavedQuery(
          context,
          uuidId(uuidOfInput("SavedQuery", asked), "saved query", "id"),
        ),
      })),
  }),
}));
