import { Button, Intent } from "@blueprintjs/core";
import { DownloadIcon, DuplicateIcon, TickIcon } from "@blueprintjs/icons";
import { useEffect, useRef, useState } from "react";
import { productName } from "../shell/frame/Brand.tsx";
import { saveAsFile } from "../ui/network/saveAsFile.ts";
import "./SecondFactor.css";

/** Recovery codes, to be copied or saved. They are shown only once. */
export function RecoveryCodesNotice({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [isCopied, setCopied] = useState(false);
  const text = codes.join("\n");

  useEffect(() => {
    heading.current?.focus();
  }, []);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // Without permission for the clipboard the text is selected, so that the keyboard can copy it.
      if (list.current) window.getSelection()?.selectAllChildren(list.current);
    }
  };

  return (
    <div className="factor stack">
      <h3 ref={heading} tabIndex={-1}>
        Recovery codes
      </h3>
      <p>
        Keep these apart from the device with the app: each signs you in once without it. You will not see them again.
      </p>
      <ol className="grid factor-codes" ref={list}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row">
        <Button
          icon={isCopied ? <TickIcon /> : <DuplicateIcon />}
          onClick={() => void copy()}
          text={isCopied ? "Copied" : "Copy"}
        />
        <Button
          icon={<DownloadIcon />}
          onClick={() =>
            saveAsFile(
              "recovery-codes.txt",
              `Recovery codes of ${productName}, each for one sign-in:\n\n${text}\n`,
              "text/plain",
            )
          }
          text="Download"
        />
        <Button intent={Intent.PRIMARY} onClick={onDone} text="Done" />
      </div>
    </div>
  );
}
