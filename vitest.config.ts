import { fileURLToPath } from "node:url";

import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // vitest would load graphql twice, once for each module format, and its types would not know each other.
    alias: [{ find: /^graphql$/, replacement: at("node_modules/graphql/index.js") }],
  },
  test: {
    include: ["{client,db,gateway,test}/**/*.test.{ts,tsx}"],
    globalSetup: at("test/support/setup.ts"),
    maxWorkers: 2,
    testTimeout: 60_000,
    // A state is waited for: on a busy machine a page takes its time.
    expect: { poll: { timeout: 30_000 } },
    hookTimeout: 120_000,
  },
});
