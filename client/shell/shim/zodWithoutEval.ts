/** Replaces "zod" in the client (see vite.config.ts): compiled parsers need `eval`, which the page's policy forbids. */
import { config } from "zod/v4";

config({ jitless: true });

export * from "zod/v4";
