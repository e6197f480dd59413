import { Callout } from "@blueprintjs/core";
import type { Ref } from "react";

/** The error of a form as a whole, announced when it appears. With a `ref` it can have the focus. */
export function FormAlert({ message, ref }: { message: string | undefined; ref?: Ref<HTMLDivElement> }) {
  if (!message) return null;
  return (
    <div ref={ref} role="alert" tabIndex={ref ? -1 : undefined}>
      <Callout intent="danger">{message}</Callout>
    </div>
  );
}
