import { expect, test } from "vitest";

import { ledgerKinds } from "../../db/ledger/ledger.rules.ts";
import { kindOf, nameOf } from "./ledgerWords.ts";

test("each kind has a name in GraphQL that leads back to it", () =>
  expect(ledgerKinds.map((kind) => kindOf(nameOf(kind)))).toEqual(ledgerKinds));
