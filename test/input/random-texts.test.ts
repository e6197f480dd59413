import { expect, test } from "vitest";

import { addPathValues } from "../support/pathValues.ts";
import { gatewayOfFile } from "../support/perFile.ts";
import { sendTexts, storeOtherTexts } from "./everyText.ts";
import { readTexts, storeTexts } from "./tryTexts.ts";

const gateway = await gatewayOfFile();
const values = await addPathValues(gateway.db, await gateway.as("admin"), gateway.url);

test("random texts are refused by the name of their field, or stored in their form", async () => {
  expect(await storeTexts(gateway, 75, 1)).toEqual([]);
});
test("so are those of the other mutations, and none stores a text that is tested nowhere", async () => {
  expect(await storeOtherTexts(gateway, 68, 3)).toEqual([]);
});
test("reading with random texts is answered or refused", async () => {
  expect(await readTexts(gateway, values, 75, 2)).toEqual([]);
});
test("each text of a mutation or a REST body is taken, or refused with a code, a message and a path", async () => {
  expect(await sendTexts(gateway, values, 400, 4)).toEqual([]);
});
