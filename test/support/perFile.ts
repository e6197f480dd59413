import type { Browser } from "playwright-core";
import { afterAll } from "vitest";

import { testGateway, type TestGateway } from "./gateway.ts";
import { openBrowser } from "./openBrowser.ts";

/** What all tests of a file share: started when the file is read, stopped after its last test. */

type Options = Parameters<typeof testGateway>;

/** The gateway of a file. */
export async function gatewayOfFile(...options: Options): Promise<TestGateway> {
  const gateway = await testGateway(...options);
  afterAll(() => gateway.stop());
  return gateway;
}

/** The browser and the gateway of a file of screens. */
export async function screensOfFile(...options: Options): Promise<[Browser, TestGateway]> {
  const opening = openBrowser();
  afterAll(async () => (await opening).close());
  return Promise.all([opening, gatewayOfFile(...options)]);
}
