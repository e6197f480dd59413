/**
 * The room at the top of a screen for notifications (`--notifications`), so that they cover nothing, and the part of it that they
 * fill (`--notifications-shown`). Room is made as soon as a notification appears, but not while a pointer is down: the press would end on what
 * has moved under it. When a notification goes, the content below does not move: the room is given back by scrolling, where
 * nobody sees it, or with the next screen.
 */

let wanted = 0;
let taken = 0;
let widthThen = 0;
let isPressed = false;

const setHeight = (name: string, height: number) => document.documentElement.style.setProperty(name, `${height}px`);

function set(height: number): void {
  taken = height;
  widthThen = window.innerWidth;
  setHeight("--notifications", height);
}

const topOf = (): number => document.querySelector("main")?.getBoundingClientRect().top ?? 0;

/** Makes the room that is needed. Gives back the rest if the page can be scrolled so that nothing visibly moves. */
function follow(): void {
  if (isPressed || wanted === taken) return;
  // After the window was turned or resized, everything has moved anyway.
  if (wanted > taken || window.innerWidth !== widthThen) return set(wanted);
  if (window.scrollY < taken - wanted) return;
  const before = topOf();
  // With reduced motion, base.css makes each change a transition, and the height would be measured before it begins.
  document.querySelector<HTMLElement>(".frame-body")?.style.setProperty("transition", "none", "important");
  set(wanted);
  window.scrollBy({ top: topOf() - before, behavior: "instant" });
}

function release(): void {
  isPressed = false;
  follow();
}

window.addEventListener("scroll", follow, { passive: true });
window.addEventListener("pointerdown", () => (isPressed = true), { capture: true, passive: true });
// After the click that ends the press, and after its effects.
for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, () => requestAnimationFrame(release), { capture: true, passive: true });

/** Sets the room to this height. A smaller height takes effect as soon as nobody can see the change. */
export function takeRoom(height: number): void {
  wanted = height;
  setHeight("--notifications-shown", height);
  follow();
}

/** Gives back the unneeded room when another screen opens, because everything moves then. */
export function giveRoomBack(): void {
  if (wanted < taken) set(wanted);
}
