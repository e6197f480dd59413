import type { Request, Route } from "playwright-core";
import { expect, test } from "vitest";

import { screenAs } from "../support/browser.ts";
import { screensOfFile } from "../support/perFile.ts";

/** A gateway that goes away behind a proxy: queries in flight are sent once more, mutations are not. */

const [browser, gateway] = await screensOfFile("demo", {}, [/"path":"\/graphql".*"status":503/]);

const isOperation = (request: Request, name: string) => `${request.url()} ${request.postData() ?? ""}`.includes(name);
const badGateway = (route: Route) =>
  route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });

/** Makes the operation fail this many times, and counts how often it was sent. */
async function failing(
  page: Awaited<ReturnType<typeof screenAs>>["page"],
  name: string,
  times: number,
  fail: (route: Route) => Promise<void>,
) {
  const sent = { times: 0 };
  await page.route("**/graphql*", (route, request) => {
    if (!isOperation(request, name)) return route.fallback();
    sent.times += 1;
    return sent.times <= times ? fail(route) : route.fallback();
  });
  return sent;
}

test.each([
  ["a 502 from the proxy", badGateway],
  [
    "a 503 from the gateway",
    (route: Route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" }),
  ],
  ["a broken connection", (route: Route) => route.abort("connectionreset")],
])("after %s the query is sent once more, and the screen shows its result", async (_, fail) => {
  const screen = await screenAs(browser, gateway, "viewer");
  const sent = await failing(screen.page, "PartnersScreenQuery", 1, fail);
  await screen.open("/ips");
  await screen.page.getByRole("link", { name: "Partner A" }).waitFor();
  expect(sent.times).toBe(2);
});

test("a query that fails twice is not sent a third time by itself", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const sent = await failing(screen.page, "PartnersScreenQuery", 9, badGateway);
  await screen.open("/ips");
  await screen.page.getByRole("button", { name: "Try again" }).waitFor();
  expect(sent.times).toBe(2);
  await screen.page.getByRole("button", { name: "Try again" }).click();
  await expect.poll(() => sent.times).toBe(4);
});

test("a mutation that fails is not sent again", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  const sent = await failing(page, "PasswordForm_change", 9, badGateway);
  await screen.open("/user/me");
  await page.getByLabel("Current password", { exact: true }).fill("demo-password");
  await page.getByLabel("New password", { exact: true }).fill("another-good-one-7");
  await page.getByLabel("Confirm new password", { exact: true }).fill("another-good-one-7");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The server could not answer. Try again in a moment.").waitFor();
  expect(sent.times).toBe(1);
});

test("a save that conflicts at every attempt reports that nothing was done; sent again, it is stored", async () => {
  const screen = await screenAs(browser, gateway, "viewer");
  const { page } = screen;
  await screen.open("/user/me");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "viewer - Settings" });
  await dialog.getByLabel("Middle Name").fill("Grace");
  const storedName = async () =>
    (
      await gateway.sql<{ name: string | null }>`select middle_name as name from app_user where user_name = 'viewer'`
    )[0]!.name;
  await gateway.sql`create function lose() returns trigger language plpgsql as $$ begin raise exception 'lost' using errcode = 'deadlock_detected'; end $$`;
  await gateway.sql`create trigger lose before update on app_user execute function lose()`;
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.getByText("Nothing of this was done: please try again.").waitFor();
  await gateway.sql`drop function lose cascade`;
  expect(await storedName()).not.toBe("Grace");
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await storedName()).toBe("Grace");
});

test("a server that cannot answer is not reported as a lost connection, before and after the session is known", async () => {
  const screen = await screenAs(browser, gateway, "admin");
  const { page } = screen;
  const away = (answer: "503" | "none") =>
    page.route("**/graphql*", (route) =>
      answer === "none"
        ? route.abort()
        : route.fulfill({ status: 503, contentType: "application/problem+json", body: "{}" }),
    );
  await away("503");
  await page.goto(`${gateway.url}/#/districts`);
  await page.getByText("The server is there, but cannot answer just now.").waitFor();
  await page.unroute("**/graphql*");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("h1").filter({ hasText: "All Districts" }).waitFor();
  expect(await page.getByText("The server is there").count()).toBe(0);
  await away("503");
  await page.getByRole("link", { name: "Provinces", exact: true }).click();
  await page
    .getByRole("alert")
    .filter({ hasText: "The server is there, but cannot answer just now." })
    .first()
    .waitFor();
  await page.unroute("**/graphql*");
  await away("none");
  await page.getByRole("link", { name: "IP's", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: "Check the connection" }).first().waitFor();
  screen.expectClean(/503|net::ERR_FAILED/);
});
