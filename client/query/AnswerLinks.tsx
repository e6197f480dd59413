import { useState } from "react";

function saveAs(name: string, picture: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(picture);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

type AnswerLinksProps = {
  title: string;
  /** the address of this chart */
  link: string;
  /** undefined while there is no chart */
  picture: (() => Promise<Blob>) | undefined;
};

/** Buttons to pass a chart on: its address, and a picture (PNG). */
export function AnswerLinks({ title, link, picture }: AnswerLinksProps) {
  const [failure, setFailure] = useState("");
  const save = async () => {
    setFailure("");
    try {
      if (picture) saveAs(`${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80)}.png`, await picture());
    } catch {
      setFailure("The picture could not be made.");
    }
  };
  return (
    <>
      <p className="answer-links">
        <a href={link}>Link to this chart</a>
        <button disabled={!picture} onClick={() => void save()} type="button">
          Save as picture (PNG)
        </button>
      </p>
      {failure && <p role="alert">{failure}</p>}
    </>
  );
}
