import { createHash } from "node:crypto";

import type { CodegenConfig } from "@graphql-codegen/cli";
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

/** The first 132 bits of the text's SHA-256: short, because each request sends it. */
const hashAlgorithm = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, 22);

/**
 * Types of every query, mutation and fragment of the client, from the committed schema, and the texts of queries and
 * mutations by their hash (client/gql/persisted-documents.json).
 */
const config: CodegenConfig = {
  schema: "schema.graphql",
  documents: ["client/**/*.tsx", "client/**/*.ts", "!client/gql/**"],
  ignoreNoDocuments: true,
  generates: {
    "client/gql/": {
      preset: "client",
      presetConfig: { fragmentMasking: { unmaskFunctionName: "readFragment" }, persistedDocuments: { hashAlgorithm } },
      // urql's cache needs the name of each type.
      documentTransforms: [addTypenameSelectionDocumentTransform],
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
