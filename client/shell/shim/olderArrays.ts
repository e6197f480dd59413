/**
 * Array methods that return a copy, for browsers without them (Chromium before 110, Safari before 16). Only those
 * browsers fetch this file.
 */

type Methods = Record<string, (this: unknown[], ...given: never[]) => unknown>;

const methods: Methods = {
  toSorted(compare?: (one: unknown, other: unknown) => number) {
    return [...this].sort(compare);
  },
  toReversed() {
    return this.map((_, index) => this[this.length - 1 - index]);
  },
  toSpliced(...given: Parameters<unknown[]["splice"]>) {
    const copy = [...this];
    copy.splice(...given);
    return copy;
  },
  with(index: number, value: unknown) {
    const copy = [...this];
    copy[index < 0 ? copy.length + index : index] = value;
    return copy;
  },
};

/** Adds the missing methods. */
export function addArrayMethods(): void {
  for (const [name, value] of Object.entries(methods)) {
    if (name in Array.prototype) continue;
    // oxlint-disable-next-line no-extend-native -- a polyfill adds methods that the browser lacks
    Object.defineProperty(Array.prototype, name, { value, writable: true, configurable: true });
  }
}
