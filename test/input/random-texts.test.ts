import { expect, test } from "vitest";

import { gatewayOfFile } from "../support/perFile.ts";
import { readTexts, storeTexts } from "./tryTexts.ts";

const gateway = await gatewayOfFile();

test("random texts are refused by the name of their field, or stored in their form", async () => {
  expect(await storeTexts(gateway, 75, 1)).toEqual([]);
});
test("reading with random texts is answered or refused", async () => {
  expect(await readTexts(gateway, 75, 2)).toEqual([]);
});
