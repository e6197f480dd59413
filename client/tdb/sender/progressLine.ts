import { stderr } from "node:process";
import { formatFileSize } from "../../ui/text/fileSize.ts";
import { percentOf, prospectOf } from "../upload/progressText.ts";
import type { Progress } from "../upload/uploadState.ts";

const everyMs = 10_000;

/**
 * Writes the progress to standard error: on a terminal as one line that is overwritten, elsewhere as a line from time
 * to time.
 */
export function progressLine(isQuiet: boolean) {
  let updatedAt = 0;
  let last = "";
  const write = (text: string) => {
    if (isQuiet) return;
    if (stderr.isTTY) stderr.write(`\r\u001B[K${text}`);
    else stderr.write(`${text}\n`);
  };
  return {
    update: (name: string, progress: Progress, now: number) => {
      const { sent, total, bytesPerSecond, quietSeconds, trouble } = progress;
      const speed = bytesPerSecond && !quietSeconds && !trouble ? `${formatFileSize(bytesPerSecond)}/s` : undefined;
      const prospect = prospectOf({ progress, isPaused: false, needsSignIn: false });
      const facts = [
        `${percentOf(progress)} %`,
        `${formatFileSize(sent)} of ${formatFileSize(total)}`,
        speed,
        prospect,
      ];
      const text = `${name}: ${facts.filter(Boolean).join(" · ")}`;
      if (text === last || (!stderr.isTTY && now - updatedAt < everyMs && trouble === undefined)) return;
      last = text;
      updatedAt = now;
      write(text);
    },
    /** A line that stays. */
    say: (text: string) => {
      if (isQuiet) return;
      if (stderr.isTTY) stderr.write("\r\u001B[K");
      stderr.write(`${text}\n`);
    },
  };
}
