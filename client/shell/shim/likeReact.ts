import { options } from "preact";
import type { Ref, RefObject, VNode } from "preact";

/** Makes Preact behave like React, for which the client is written. It changes nothing if the client is built with React (vite.config.ts). */

/*
 * Preact runs effects (`useEffect`) after the next frame or 0.1 s; React runs them at once after a click or a key. Here they run in
 * the next task, so that, for example, the focus is right before the next key.
 */
const { port1, port2 } = new MessageChannel();
let due: (() => void)[] = [];
port1.addEventListener("message", () => {
  const acts = due;
  due = [];
  acts.forEach((act) => act());
});
port1.start();

options.requestAnimationFrame = (act: () => void) => {
  due.push(act);
  port2.postMessage(null);
};

/* In Preact `autoFocus` is only the HTML attribute, which browsers apply once for each page. */
const focused = new WeakSet<Element>();

function setRef(ref: Ref<Element> | undefined, element: Element | null): void {
  if (typeof ref === "function") ref(element);
  else if (ref) (ref as RefObject<Element | null>).current = element;
}

const before = options.vnode?.bind(options);
options.vnode = (vnode: VNode<{ autoFocus?: boolean }> & { ref?: Ref<Element> }) => {
  before?.(vnode);
  if (typeof vnode.type !== "string" || !vnode.props.autoFocus) return;
  const { ref } = vnode;
  vnode.ref = (element: Element | null) => {
    setRef(ref, element);
    // The function is a new one at each rendering, but only the first call is a mount.
    if (!(element instanceof HTMLElement) || focused.has(element)) return;
    focused.add(element);
    element.focus();
  };
};
