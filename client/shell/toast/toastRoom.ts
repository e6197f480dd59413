/**
 * The room that a screen leaves for notifications at its top (`--notifications`), so that they cover nothing, and how much of it they
 * fill (`--notifications-shown`). It is made at once when one comes. When one goes, what lies below stays where it is until the person
 * has pressed or scrolled: nothing moves from under a finger.
 */

const givers = ["click", "scroll", "hashchange"] as const;
/** One line of words. */
const usualHeight = 56;

let wanted = 0;
let taken = 0;

const tell = (name: string, height: number) => document.documentElement.style.setProperty(name, `${height}px`);

function set(height: number): void {
  taken = height;
  tell("--notifications", height);
}

function giveBack(): void {
  for (const giver of givers) window.removeEventListener(giver, giveBackSoon);
  if (wanted < taken) set(wanted);
}

/** After what the press set off. */
function giveBackSoon(): void {
  requestAnimationFrame(giveBack);
}

/** Makes room of this height, or gives back what is not needed any more. */
export function takeRoom(height: number): void {
  wanted = height;
  tell("--notifications-shown", height);
  if (height >= taken) set(height);
  else for (const giver of givers) window.addEventListener(giver, giveBackSoon, { once: true, passive: true });
}

/** Makes room before the first notification can be drawn, with the screen itself. */
export function takeUsualRoom(): void {
  if (taken < usualHeight) takeRoom(usualHeight);
}
