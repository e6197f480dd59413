import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { axe, hasFocus, layoutFaults, screenAs, type Screen } from "../support/browser.ts";
import { bodyOf, stranger } from "../support/gateway.ts";
import { screensOfFile } from "../support/perFile.ts";

/** Signing in and out in a real browser: the texts and the steps of the login screen. */

const [browser, gateway] = await screensOfFile();

const heading = (page: Page) => page.locator("h1");
const notification = (page: Page, text: string) => page.locator(".notification", { hasText: text });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const posts = (screen: Screen) => screen.calls().filter((call) => call.startsWith("/api/v1/auth"));
/** Chromium reports every answer of 400 and more as a console error. */
const refusal = /status of (401|424)/;

async function signIn({ page }: Screen, login: string, password: string): Promise<void> {
  await field(page, "Username or email").fill(login);
  await field(page, "Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("an anonymous visitor sees only the login screen", async () => {
  const screen = await screenAs(browser, gateway, null, { width: 390, colorScheme: "dark" });
  const { page } = screen;
  await screen.open("/provinces");
  await notification(page, "Please login").waitFor();
  await expect.poll(() => heading(page).allInnerTexts()).toEqual([expect.stringMatching(/Deployment Platform/)]);
  await expect.poll(() => page.title()).toMatch(/Deployment Platform/);
  await expect.poll(() => page.getByRole("textbox").count()).toBe(2);
  await expect.poll(() => field(page, "Password").getAttribute("type")).toBe("password");
  await hasFocus(field(page, "Username or email"));
  await expect
    .poll(() => page.getByRole("button").allInnerTexts())
    .toEqual(expect.arrayContaining(["Sign in", "Forgot password"]));
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  await expect.poll(() => page.getByRole("contentinfo").innerText()).toContain("©");
  await expect
    .poll(() => page.getByText("Demonstration: all facilities, people and figures are made up.").count())
    .toBe(1);
  expect(await layoutFaults(page)).toEqual([]);
  expect(await axe(page)).toEqual([]);
  screen.expectClean();
});

test("both fields are required, the password needs six characters, and nothing is sent before", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await screen.open("/");
  screen.calls();
  await page.getByRole("button", { name: "Sign in" }).click();
  const invalid = page.locator("input[aria-invalid=true]");
  await expect.poll(() => invalid.count()).toBe(2);
  const notes = () =>
    invalid.evaluateAll((inputs) =>
      inputs.map((input) => document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent),
    );
  await expect.poll(() => notes()).toEqual([expect.stringMatching(/required/i), expect.stringMatching(/required/i)]);
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  await signIn(screen, "admin", "12345");
  await expect.poll(() => invalid.count()).toBe(1);
  await expect.poll(() => notes()).toEqual([expect.stringContaining("6")]);
  expect(posts(screen)).toEqual([]);
  screen.expectClean();
});

test("a wrong password and a locked name show the same alert, and the typed login is kept", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await screen.open("/");
  await signIn(screen, "viewer", "wrong-password");
  const alert = page.getByRole("main").getByRole("alert");
  await alert.waitFor();
  await expect.poll(() => alert.innerText()).toBe("Invalid Username or Password Entered");
  await expect.poll(() => field(page, "Username or email").inputValue()).toBe("viewer");
  expect(await axe(page)).toEqual([]);

  const guesser = stranger(gateway.url);
  let status = 0;
  for (let attempt = 0; attempt < 6 && status !== 424; attempt += 1)
    ({ status } = await guesser.call("POST", "/api/v1/auth", { login: "manager", password: "wrong-password" }));
  expect(status).toBe(424);
  await page.reload();
  await screen.settled();
  await signIn(screen, "manager", "demo-password");
  await alert.waitFor();
  await expect.poll(() => alert.innerText()).toBe("Invalid Username or Password Entered");
  screen.expectClean(refusal);
});

test("a success answer other than 200 and 202 shows Bad Request, and an unreachable server is reported", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await screen.open("/");
  const alert = page.getByRole("main").getByRole("alert");
  await page.route("**/api/v1/auth", (route) => route.fulfill({ status: 204 }));
  await signIn(screen, "viewer", "demo-password");
  await alert.filter({ hasText: "Bad Request" }).waitFor();
  await page.unroute("**/api/v1/auth");
  await page.route("**/api/v1/auth", (route) => route.abort());
  await page.getByRole("button", { name: "Sign in" }).click();
  await alert.filter({ hasText: "The server cannot be reached." }).waitFor();
  await expect.poll(() => field(page, "Password").inputValue()).toBe("demo-password");
  await page.unroute("**/api/v1/auth");
  await page.getByRole("button", { name: "Sign in" }).click();
  await heading(page).filter({ hasText: "Home" }).waitFor();
  screen.expectClean(/net::ERR_FAILED/);
});

test("a notification is shown at the top right for ten seconds, with a bar of the remaining time and a close button", async () => {
  const screen = await screenAs(browser, gateway, null, { motion: true });
  const { page } = screen;
  await page.clock.install();
  await page.goto(gateway.url);
  const first = notification(page, "Please login");
  await first.waitFor();
  await page.getByRole("button", { name: "Forgot password" }).click();
  const info = notification(page, "Please contact your Facility administrator to reset your account details");
  await info.waitFor();
  await expect.poll(() => info.getByRole("alert").count()).toBe(1);
  const bar = await info.locator(".notification-text").evaluate((element) => {
    const { animationName, animationDuration, height } = getComputedStyle(element, "::after");
    return { animationName, animationDuration, height: Number.parseFloat(height) };
  });
  expect(bar).toMatchObject({ animationName: "notification-time", animationDuration: "10s" });
  expect(bar.height).toBeGreaterThan(1);
  const box = (await info.boundingBox())!;
  expect([box.x + box.width > 1440 - 64, box.x > 720, box.y < 300]).toEqual([true, true, true]);

  await first.getByRole("button", { name: "Close" }).click();
  await page.clock.runFor(1000);
  await first.waitFor({ state: "detached" });
  await page.mouse.move(10, 890);
  await page.clock.runFor(8000);
  // The same message again is shown once, for ten seconds from now.
  await page.getByRole("button", { name: "Forgot password" }).click();
  await page.clock.runFor(8000);
  await expect.poll(() => info.count()).toBe(1);
  await page.clock.runFor(3000);
  await info.waitFor({ state: "detached" });
  screen.expectClean();
});

test("a notification covers nothing, and the message about the resumed session is shown until the person's next click", async () => {
  const screen = await screenAs(browser, gateway, "assessor", { width: 390 });
  const { page, open } = screen;
  await open("/districts");
  const resuming = notification(page, "Resuming session");
  await resuming.waitFor();
  const covered = () =>
    page.evaluate(() => {
      const { left, right, top, bottom } = document.querySelector(".notification")!.getBoundingClientRect();
      return [...document.querySelectorAll("h1, h2, a, button, input, select, [role=tab]")]
        .filter((element) => !element.matches(".notification *, .skip-link"))
        .filter((element) => {
          const box = element.getBoundingClientRect();
          return (
            box.width > 0 &&
            Math.min(box.right, right) - Math.max(box.left, left) > 1 &&
            Math.min(box.bottom, bottom) - Math.max(box.top, top) > 1
          );
        })
        .map(({ textContent }) => textContent);
    });
  await expect.poll(() => covered()).toEqual([]);
  const top = async () => (await heading(page).boundingBox())!.y;
  const room = () => page.evaluate(() => document.documentElement.style.getPropertyValue("--notifications"));
  const [before, made] = [await top(), await room()];
  await heading(page).click();
  await resuming.waitFor({ state: "detached" });
  // The page does not move: not at this click, not at the next one, and not when it is scrolled further than the room
  // that is given back.
  await heading(page).click();
  await screen.settled();
  expect([await top(), await room()]).toEqual([before, made]);
  const [scrolled, movedBy] = await page.evaluate(async () => {
    window.scrollTo({ top: 100, behavior: "instant" });
    const reached = window.scrollY;
    const before = document.querySelector("h1")!.getBoundingClientRect().top;
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return [reached, document.querySelector("h1")!.getBoundingClientRect().top - before];
  });
  expect(scrolled).toBeGreaterThanOrEqual(60);
  expect([Math.round(movedBy!), await room()]).toEqual([0, "0px"]);
  screen.expectClean();
});

test("a deep link is kept through sign-in, a reload resumes the session, sign-out ends it", async () => {
  const screen = await screenAs(browser, gateway, null);
  const { page } = screen;
  await screen.open("/districts?page=2");
  await notification(page, "Please login").waitFor();
  await field(page, "Username or email").fill("  Assessor@DEMO.example ");
  await field(page, "Password").fill("demo-password");
  await page.keyboard.press("Enter");
  await heading(page).filter({ hasText: "All Districts" }).waitFor();
  await screen.settled();
  await expect.poll(() => new URL(page.url()).hash).toBe("#/districts?page=2");
  await notification(page, "Please login").waitFor({ state: "detached" });
  // Its room is not left empty above the screen.
  await expect
    .poll(() => page.evaluate(() => document.documentElement.style.getPropertyValue("--notifications")))
    .toBe("0px");
  await expect
    .poll(() => page.evaluate(() => document.cookie), { message: "the session is no business of scripts" })
    .toBe("");

  await page.reload();
  await notification(page, "Resuming session").waitFor();
  await heading(page).filter({ hasText: "All Districts" }).waitFor();
  await screen.settled();

  await page.getByRole("link", { name: "About" }).click();
  await heading(page).filter({ hasText: "About" }).waitFor();
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  const asBefore = () => stranger(gateway.url).get("/api/v1/privilege", { cookie: session });
  expect((await asBefore()).status).toBe(200);
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  expect((await asBefore()).status).toBe(401);
  await expect.poll(() => page.title()).toMatch(/Deployment Platform/);
  await page.goBack();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await expect.poll(() => page.getByText("All Districts").count()).toBe(0);
  await page.reload();
  await notification(page, "Please login").waitFor();
  screen.expectClean();
});

test("a session that ended at the server ends on the screen at the next call", async () => {
  const screen = await screenAs(browser, gateway, "uploader");
  const { page } = screen;
  await screen.open("/about");
  await gateway.db.deleteFrom("session").execute();
  await page.goto(`${gateway.url}/#/ips`);
  await notification(page, "Please login").waitFor();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await expect.poll(() => page.getByRole("navigation").count()).toBe(0);
  await signIn(screen, "uploader", "demo-password");
  await heading(page).filter({ hasText: "Implementing Partners" }).waitFor();
  await screen.settled();
  screen.expectClean(/401 .*api\/v1\/auth/);
});

test("an ended session leaves one notice, also if a screen was being fetched", async () => {
  const screen = await screenAs(browser, gateway, null, { width: 390 });
  const { page } = screen;
  await screen.open("/about");
  await signIn(screen, "uploader", "demo-password");
  await heading(page).filter({ hasText: "About" }).waitFor();
  await screen.settled();
  let fetchIt = () => {};
  const isFetched = new Promise<void>((resolve) => (fetchIt = resolve));
  await page.route("**/TdbUploadScreen-*.js", async (route) => {
    await isFetched;
    await route.continue();
  });
  const asked = page.waitForRequest("**/TdbUploadScreen-*.js");
  await page.goto(`${gateway.url}/#/tdb`);
  await asked;
  // People of their own, because other tests end sessions too.
  const [admin, uploader] = [stranger(gateway.url), stranger(gateway.url)];
  await admin.call("POST", "/api/v1/auth", { login: "admin", password: "demo-password" });
  await uploader.call("POST", "/api/v1/auth", { login: "uploader", password: "demo-password" });
  const { uuid } = bodyOf<{ uuid: string }>(await uploader.get("/api/v1/user/me"));
  expect((await admin.call("POST", `/api/v1/user/${uuid}/endEverything`)).status).toBe(200);
  await page.goto(`${gateway.url}/#/ips`);
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const arrived = page.waitForResponse("**/TdbUploadScreen-*.js");
  fetchIt();
  await arrived;
  await screen.settled();
  await expect.poll(() => page.locator(".notification").allInnerTexts()).toEqual(["Please login"]);
  screen.expectClean(/401 .*api\/v1\/auth/);
});

test("a temporary password is replaced at the first sign-in", async () => {
  const screen = await screenAs(browser, gateway, null, { width: 390 });
  const { page } = screen;
  await screen.open("/about");
  await signIn(screen, "newcomer", "temporary-1");
  const confirm = field(page, "Confirm password");
  await confirm.waitFor();
  await notification(page, "Please confirm your password").waitFor();
  await expect.poll(() => field(page, "Username or email").inputValue()).toBe("newcomer");
  await expect.poll(() => field(page, "New password").inputValue()).toBe("");
  await expect.poll(() => confirm.getAttribute("type")).toBe("password");
  expect(await axe(page)).toEqual([]);
  expect(await layoutFaults(page)).toEqual([]);
  expect(posts(screen)).toHaveLength(1);

  const submit = () => page.getByRole("button", { name: "Save password and sign in" }).click();
  const wrong = page.locator("input[aria-invalid=true]");
  await submit();
  await expect.poll(() => wrong.count()).toBe(2);
  await field(page, "New password").fill("chosen-by-me");
  await confirm.fill("chosen-by-you");
  await submit();
  await page.getByText("Passwords do not match").waitFor();
  await expect.poll(() => confirm.getAttribute("aria-invalid")).toBe("true");
  expect(posts(screen)).toEqual([]);
  // The strength meter is large, and is loaded only when it is needed.
  await expect.poll(() => page.locator("main").innerText()).toMatch(/Strength: \w+/);

  // The temporary password is not accepted as the new one.
  await field(page, "New password").fill("temporary-1");
  await confirm.fill("temporary-1");
  await submit();
  await expect.poll(() => posts(screen).length).toBe(1);
  await page.locator("[aria-invalid=true], main [role=alert]").first().waitFor();
  await field(page, "New password").fill("chosen-by-me");
  await confirm.fill("chosen-by-me");
  await submit();
  await heading(page).filter({ hasText: "About" }).waitFor();
  await notification(page, "Please confirm your password").waitFor({ state: "detached" });
  await screen.settled();
  screen.expectClean(/status of 422/);

  const person = stranger(gateway.url);
  expect((await person.call("POST", "/api/v1/auth", { login: "newcomer", password: "temporary-1" })).status).toBe(401);
  expect((await person.call("POST", "/api/v1/auth", { login: "newcomer", password: "chosen-by-me" })).status).toBe(200);
});
