/**
 * The room at the top of a screen for notifications (`--notifications`), so that they cover nothing. While something is
 * pressed nothing moves, because the press would end on something else. When a notification goes, its room is given
 * back by scrolling, above what is seen, or with the next screen.
 */

let wanted = 0;
let taken = 0;
let isPressed = false;
let isLeaving = false;
let isReserved = false;

function take(): void {
  taken = wanted;
  document.documentElement.style.setProperty("--notifications", `${taken}px`);
}

const topOf = (): number => document.querySelector("main")?.getBoundingClientRect().top ?? 0;

/** Changes the room as far as nobody is disturbed. */
export function follow(): void {
  if (isPressed || isLeaving || wanted === taken) return;
  if (wanted > taken) return take();
  if (window.scrollY < taken - wanted) return;
  const before = topOf();
  take();
  window.scrollBy({ top: topOf() - before, behavior: "instant" });
}

function release(): void {
  isPressed = false;
  follow();
}

window.addEventListener("scroll", follow, { passive: true });
window.addEventListener("pointerdown", () => (isPressed = true), { capture: true, passive: true });
for (const end of ["pointerup", "pointercancel"])
  // After the click that ends the press, and after its effects.
  window.addEventListener(end, () => requestAnimationFrame(release), { capture: true, passive: true });

/** There will be a first message of this height: its room comes with the first screen (`follow`). */
export function reserveRoom(height: number): void {
  isReserved = true;
  wanted = height;
}

/** Whether another screen is about to open: the room changes when it does, not before. */
export function setLeaving(is: boolean): void {
  isLeaving = is;
  follow();
}

/** Sets the room to this height. A smaller height takes effect as soon as nobody can see the change. */
export function takeRoom(height: number): void {
  if (isReserved && height === 0) return;
  isReserved = false;
  wanted = height;
  follow();
}

/**
 * Gives back the unneeded room when another screen opens, because everything moves then. It is measured, because a
 * notification may have gone a moment before.
 */
export function giveRoomBack(): void {
  isLeaving = false;
  if (isReserved) return;
  wanted = Math.ceil(document.querySelector(".notifications")?.getBoundingClientRect().height ?? 0);
  take();
}
