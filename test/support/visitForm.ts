import type { Page } from "playwright-core";

/** The form of a visit in a browser, filled in as its screens' tests need it. */

type Step = "Power" | "SmartCare" | "Service areas" | "Contacts" | "Closing" | "Review";

/** Leads to a step of the form by its list: on a phone a step is shown alone. */
export async function goToStep(page: Page, step: Step): Promise<void> {
  const link = page.getByRole("navigation", { name: "Steps" }).getByRole("link", { name: step });
  await link.click();
  await page.waitForFunction((node) => node?.getAttribute("aria-current") === "step", await link.elementHandle());
}

/** Answers what a visit needs. */
export async function fillRequired(page: Page, mode = "EFirst", staff = "5"): Promise<void> {
  await goToStep(page, "SmartCare");
  await page.getByLabel("Deployment Mode").selectOption(mode);
  await page.getByLabel("Date of last upgrade").fill("2025-01-31");
  await page.getByLabel("Number of staff trained").fill(staff);
}

export async function fillComments(page: Page, comments: string): Promise<void> {
  await goToStep(page, "Closing");
  await page.getByLabel("Closing comments").last().fill(comments);
}

/** The same with closing comments, until the device has a draft. */
export async function fillVisit(page: Page, comments: string): Promise<void> {
  await fillRequired(page);
  await fillComments(page, comments);
  await page.getByText("Kept on this device as a draft").waitFor();
}

/** Saves as a person does: in the review. */
export async function saveVisit(page: Page): Promise<void> {
  await goToStep(page, "Review");
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

/** Saves without network, until the form has closed: until then its own attempt to send may still get through. */
export async function saveOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await saveVisit(page);
  await page.getByText("1 assessment waits on this device to be sent").waitFor();
  await page.waitForURL(/#\/facility\//);
}

/** Does what lets a waiting visit be sent, and waits for the message about it, which leaves after ten seconds. */
export async function sentBy(page: Page, act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.getByText(/^The assessment of .* was sent$/).waitFor(), act()]);
}

/** Signs out although visits or drafts were not sent: the product asks first. */
export async function signOutUnsent(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign-out" }).click();
  await page.getByRole("alertdialog", { name: "Sign out" }).getByRole("button", { name: "Sign out" }).click();
}
