import { Button, Callout, Classes, Intent } from "@blueprintjs/core";
import { DuplicateIcon, KeyIcon, TickIcon } from "@blueprintjs/icons";
import { type ReactNode, useId, useRef, useState } from "react";
import "./SecretNotice.css";

type SecretNoticeProps = {
  /** What the secret is: 'Temporary password of mwila'. */
  label: string;
  secret: string;
  /** What to do with it. */
  children: ReactNode;
  onDone: () => void;
};

/** A secret that is shown only once, with a button that copies it. */
export function SecretNotice({ label, secret, children, onDone }: SecretNoticeProps) {
  const id = useId();
  const [isCopied, setCopied] = useState(false);
  const text = useRef<HTMLElement>(null);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      // Without permission for the clipboard the text is selected, so that the keyboard can copy it.
      if (text.current) window.getSelection()?.selectAllChildren(text.current);
    }
  };

  return (
    <Callout aria-labelledby={id} className="stack" icon={<KeyIcon />} intent={Intent.WARNING} role="status">
      <h2 id={id}>{label}</h2>
      <div className="row">
        <code className={`${Classes.CODE} secret-text`} ref={text}>
          {secret}
        </code>
        <Button
          icon={isCopied ? <TickIcon /> : <DuplicateIcon />}
          onClick={() => void copy()}
          text={isCopied ? "Copied" : "Copy"}
        />
        <Button intent={Intent.PRIMARY} onClick={onDone} text="Done" />
      </div>
      <p>{children}</p>
    </Callout>
  );
}
