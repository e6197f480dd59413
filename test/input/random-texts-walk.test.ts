import { expect, test } from "vitest";

import { addPathValues } from "../support/pathValues.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { sendTexts, storeOtherTexts } from "./everyText.ts";
import { readTexts, storeTexts } from "./tryTexts.ts";

/** As random-texts.test.ts, with 10,000 texts. */

const gateway = await gatewayOfFile();
const values = await addPathValues(gateway.db, await gateway.as("admin"), gateway.url);

test("5,000 random texts are refused by the name of their field, or stored in their form", async () => {
  expect(await storeTexts(gateway, 5000, 43)).toEqual([]);
});
test("reading with 2,000 random texts is answered or refused", async () => {
  expect(await readTexts(gateway, values, 2000, 44)).toEqual([]);
});
test("1,000 random texts of the other mutations are refused or stored in their form", async () => {
  expect(await storeOtherTexts(gateway, 1000, 45)).toEqual([]);
});
test("2,000 random texts of mutations and REST bodies are taken, or refused with a code, a message and a path", async () => {
  expect(await sendTexts(gateway, values, 2000, 46)).toEqual([]);
});
