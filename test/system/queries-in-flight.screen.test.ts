import type { Browser, Request, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** A gateway that goes away behind a proxy: queries in flight are asked once more, mutations never are. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
});

const isOperation = (request: Request, name: string) => `${request.url()} ${request.postData() ?? ""}`.includes(name);
const badGateway = (route: Route) => route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });

/** Lets the operation fail so many times; counts how often it was asked. */
async function failing(page: Awaited<ReturnType<typeof screenAs>>["page"], name: string, times: number, fail: (route: Route) => Promise<void>) {
  const asked = { times: 0 };
  await page.route("**/graphql*", (route, request) => {
    if (!isOperation(request, name)) return route.fallback();
    asked.times += 1;
    return asked.times <= times ? fail(route) : route.fallback();
  });
  return asked;
}

test.each([
  ["502 of the proxy", badGateway],
  ["503 of the gateway", (route: Route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" })],
  ["a broken connection", (route: Route) => route.abort("connectionreset")],
])("%s: the query is asked once more, and nobody notices", async (_, fail) => {
  const screen = await screenAs(browser, gateway, "viewer");
  const asked = await failing(screen.page, "PartnersScreenQuery", 1, fail);
  await screen.open("/ips");
  await screen.page.getByRole("link", { name: "Partner A" }).waitFor();
  expect(asked.times).toBe(2);
  await screen.close();
});

test("a query that fails twice is not asked a third time", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const asked = await failing(screen.page, "PartnersScreenQuery", 9, badGateway);
  await screen.open("/ips");
  await screen.page.getByRole("button", { name: "Try again" }).waitFor();
  expect(asked.times).toBe(2);
  await screen.page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => asked.times).toBe(4);
  await screen.close();
});

test("a mutation is sent once", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  const asked = await failing(page, "PasswordForm_change", 9, badGateway);
  await screen.open("/user/me");
  await page.getByLabel("Current password", { exact: true }).fill("demo-password");
  await page.getByLabel("New password", { exact: true }).fill("another-good-one-7");
  await page.getByLabel("Confirm new password", { exact: true }).fill("another-good-one-7");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The server could not answer. Try again in a moment.").waitFor();
  expect(asked.times).toBe(1);
  await screen.close();
});
