import { expect, test } from "vitest";

import { gatewayOfFile } from "../support/perFile.ts";
import { readTexts, storeTexts } from "./tryTexts.ts";

/** As random-texts.test.ts, with 10,000 texts. */

const gateway = await gatewayOfFile();

test("7,000 random texts are refused by the name of their field, or stored in their form", async () => {
  expect(await storeTexts(gateway, 7000, 43)).toEqual([]);
});
test("reading with 3,000 random texts is answered or refused", async () => {
  expect(await readTexts(gateway, 3000, 44)).toEqual([]);
});
