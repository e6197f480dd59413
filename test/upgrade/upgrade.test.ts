import { expect, test } from "vitest";

import { testDatabase } from "../support/database.ts";
import { buildPrevious, findPrevious } from "./release.ts";
import { upgradeUnderStorm } from "./upgrade.ts";

/**
 * The short form of `npm run upgrade-trial`: the previous release beside this version on one database, under the storm
 * and kills, then the contract step.
 */

test("an upgrade from the previous release while people work fails no request and loses no confirmed write", async ({
  skip,
}) => {
  const commit = await findPrevious();
  if (commit === undefined) return skip("the previous release cannot be started: it is not in the git history here");
  const release = await buildPrevious(commit);
  const database = await testDatabase("bare");
  const { figures, failures, lost } = await upgradeUnderStorm(release, database, { seconds: 3, kills: 2 });
  await database.drop();
  expect([failures, lost]).toEqual([[], []]);
  for (const { phase, requests } of figures) expect([phase, requests > 0]).toEqual([phase, true]);
});
