import { sql } from "kysely";
import type { Browser, Request, Route } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { openBrowser } from "../support/openBrowser.ts";

/** A gateway that goes away behind a proxy: queries in flight are asked once more, mutations never are. */

let browser: Browser;
let gateway: TestGateway;

beforeAll(async () => {
  [browser, gateway] = await Promise.all([openBrowser(), testGateway("demo", {}, [/"path":"\/graphql".*"status":503/])]);
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

test("a save that loses to others at each attempt says that nothing was done; sent again, it is stored", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/user/me");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "viewer - Settings" });
  await dialog.getByLabel("Middle Name").fill("Grace");
  const named = async () => (await sql<{ name: string | null }>`select middle_name as name from app_user where user_name = 'viewer'`.execute(gateway.db)).rows[0]!.name;
  await sql`create function lose() returns trigger language plpgsql as $$ begin raise exception 'lost' using errcode = 'deadlock_detected'; end $$`.execute(gateway.db);
  await sql`create trigger lose before update on app_user execute function lose()`.execute(gateway.db);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Nothing of this was done: please try again.").waitFor();
  await sql`drop function lose cascade`.execute(gateway.db);
  expect(await named()).not.toBe("Grace");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await named()).toBe("Grace");
  await screen.close();
});

test("a server that is there and cannot answer is not told as a lost connection, before the session is known as after it", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const away = (answer: "503" | "none") => page.route("**/graphql*", (route) => (answer === "none" ? route.abort() : route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" })));
  await away("503");
  await page.goto(`${gateway.url}/#/districts`);
  await page.getByText("The server is there, but cannot answer just now.").waitFor();
  await page.unroute("**/graphql*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("h1").filter({ hasText: "All Districts" }).waitFor();
  expect(await page.getByText("The server is there").count()).toBe(0);
  await away("503");
  await page.getByRole("link", { name: "Provinces", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "The server is there, but cannot answer just now." }).first().waitFor();
  await page.unroute("**/graphql*");
  await away("none");
  await page.getByRole("link", { name: "IP's", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "Check the connection" }).first().waitFor();
  screen.expectClean(/503|net::ERR_FAILED/);
  await screen.close();
});
