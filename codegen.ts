import type { CodegenConfig } from "@graphql-codegen/cli";

/** Types of every query, mutation and fragment of the client, from the committed schema. */
const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: ["client/**/*.tsx", "client/**/*.ts", "!client/gql/**"],
  ignoreNoDocuments: true,
  generates: {
    "client/gql/": {
      preset: "client",
      presetConfig: { fragmentMasking: { unmaskFunctionName: "readFragment" } },
      config: {
        enumsAsTypes: true,
        useTypeImports: true,
        scalars: { Date: "string", Upload: "File" },
        strictScalars: true,
      },
    },
  },
};

export default config;
