import { Button, Card } from "@blueprintjs/core";
import { useEffect, useRef, useState } from "react";
import type { UnfinishedUpload } from "../../gateway/tdb/tdb.rules.ts";
import { showError } from "../shell/toast/toaster.tsx";
import { useSystem } from "../shell/session/viewer.ts";
import { failureWords } from "../ui/network/failureWords.ts";
import { formatFileSize } from "../ui/text/fileSize.ts";
import { instantText } from "../ui/text/instants.ts";
import { cutName } from "./cutName.ts";
import { chooseFileOf } from "./upload/chooseFiles.ts";
import { askUnfinished, pathOf } from "./upload/recognise.ts";
import { call } from "./upload/uploads.ts";

type RowProps = { upload: UnfinishedUpload; onChoose: () => void; onRemoved: () => void };

function UnfinishedRow({ upload, onChoose, onRemoved }: RowProps) {
  const { timeZone } = useSystem();
  const [isAsked, setIsAsked] = useState(false);
  const { fileName, size, received, beganAt, lastByteAt, expiresAt } = upload;
  const at = (instant: string) => instantText(instant, timeZone);
  const name = cutName(fileName);
  const remove = async () => {
    const answer = await call("DELETE", pathOf(upload), { headers: { "Tus-Resumable": "1.0.0" } }).catch(
      () => undefined,
    );
    if (answer?.status !== 204 && answer?.status !== 404) showError(failureWords({ response: answer }));
    setIsAsked(false);
    onRemoved();
  };
  return (
    <li className="tdb-file row">
      <div className="is-main">
        <span className="tdb-file-name" title={fileName}>
          {name}
        </span>
        <span className="soft">
          {formatFileSize(received)} of {formatFileSize(size)} received · begun {at(beganAt)} ·{" "}
          {lastByteAt ? `last byte ${at(lastByteAt)} · ` : ""}kept until {at(expiresAt)}
        </span>
      </div>
      <div className="row">
        {isAsked ? (
          <>
            <Button intent="danger" onClick={() => void remove()} text="Remove what was received" />
            <Button onClick={() => setIsAsked(false)} text="Keep it" />
          </>
        ) : (
          <>
            <Button aria-label={`Choose the file of ${name}`} onClick={onChoose} text="Choose the file" />
            <Button aria-label={`Remove ${name}`} onClick={() => setIsAsked(true)} text="Remove" variant="minimal" />
          </>
        )}
      </div>
    </li>
  );
}

/** Unfinished uploads at the server, from any device. Each continues when its file is chosen here. */
export function UnfinishedSection() {
  const [uploads, setUploads] = useState<UnfinishedUpload[]>([]);
  const [asked, setAsked] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const wanted = useRef<UnfinishedUpload>(undefined);
  useEffect(() => {
    const left = new AbortController();
    askUnfinished(call, left.signal).then(setUploads, () => {
      // Without network the list is not known, and nothing else depends on it.
    });
    return () => left.abort();
  }, [asked]);
  if (uploads.length === 0) return null;
  return (
    <Card className="stack is-close" aria-label="Unfinished uploads" role="region">
      <h2>Unfinished uploads</h2>
      <p>Choose the same file, on this device or another one: it goes on where it stopped.</p>
      <input
        accept=".tdbx"
        aria-label="File of an unfinished upload"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file && wanted.current) void chooseFileOf(wanted.current, file);
          currentTarget.value = "";
        }}
        ref={input}
        type="file"
      />
      <ul className="plain">
        {uploads.map((upload) => (
          <UnfinishedRow
            key={upload.uuid}
            onChoose={() => {
              wanted.current = upload;
              input.current?.click();
            }}
            onRemoved={() => setAsked(asked + 1)}
            upload={upload}
          />
        ))}
      </ul>
    </Card>
  );
}
