import graphql from "@graphql-eslint/eslint-plugin";

const described = ["types", "DirectiveDefinition", "EnumValueDefinition", "FieldDefinition", "InputValueDefinition"];

/** All rules of graphql-eslint, for schemas and for Relay, hold for `schema.graphql`, with these changes. */
const changes = {
  "@graphql-eslint/require-description": ["error", Object.fromEntries(described.map((kind) => [kind, true]))],
  // Fields are in the order in which a reader wants them.
  "@graphql-eslint/alphabetize": "off",
  // The rule is for schemas without mutations.
  "@graphql-eslint/no-root-type": "off",
  // Nodes have an id. Payloads, groups and figures are no nodes.
  "@graphql-eslint/strict-id-in-types": "off",
  // The specification's names: assessmentUuid, facilityName.
  "@graphql-eslint/no-typename-prefix": "off",
  // Acts on one record take its uuid.
  "@graphql-eslint/input-name": "off",
  // A payload is always there, with its errors, and holds what the act has changed.
  "@graphql-eslint/require-nullable-result-in-root": "off",
  "@graphql-eslint/require-field-of-type-query-in-mutation-result": "off",
  // The reason tells the day, because graphql-js prints no other argument of @deprecated.
  "@graphql-eslint/require-deprecation-date": "off",
  // Lists of few need no connection. Entries, events and findings are read in lists only, so they are no nodes.
  "@graphql-eslint/relay-edge-types": ["error", { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  // Values of enums have the case of the specification, as EFirst.
  "@graphql-eslint/naming-convention": ["error", { types: "PascalCase", FieldDefinition: "camelCase" }],
};

// oxlint-disable-next-line import/no-default-export -- ESLint reads its configuration so
export default [
  {
    files: ["**/*.graphql"],
    languageOptions: { parser: graphql.parser, parserOptions: { graphQLConfig: { schema: "schema.graphql" } } },
    plugins: { "@graphql-eslint": graphql },
    rules: {
      ...graphql.configs["flat/schema-all"].rules,
      ...graphql.configs["flat/schema-relay"].rules,
      ...changes,
    },
  },
];
