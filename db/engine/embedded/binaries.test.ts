import { expect, test } from "vitest";

import { startedAs } from "./binaries.ts";

test("a program of the current user is started without a change of user, which the filter of deploy/platform.service forbids", () => {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  expect(startedAs({ uid, gid })).toEqual({});
  expect(startedAs({ uid: uid + 1, gid: gid + 1 })).toEqual({ uid: uid + 1, gid: gid + 1 });
});
