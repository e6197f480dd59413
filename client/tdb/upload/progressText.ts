import type { Uploads } from "./uploadState.ts";

function timeText(seconds: number): string {
  if (seconds < 60) return "less than a minute left";
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `about ${minutes} min left` : `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** The progress in percent. */
export const percentOf = ({ sent, total }: { sent: number; total: number }): number =>
  total > 0 ? Math.floor((sent / total) * 100) : 0;

/** Why nothing arrives, or the speed and the time left. Nothing if neither is known. */
export function prospectOf({
  progress,
  isPaused,
  needsSignIn,
}: Pick<Uploads, "progress" | "isPaused" | "needsSignIn">): string | undefined {
  if (!progress) return undefined;
  if (needsSignIn) return "waits until you have signed in again";
  if (isPaused) return "paused";
  const { trouble, quietSeconds, bytesPerSecond, sent, total } = progress;
  if (trouble) return `${trouble} It goes on by itself.`;
  if (quietSeconds) return `no answer for ${Math.round(quietSeconds)} seconds`;
  return bytesPerSecond && sent < total ? timeText((total - sent) / bytesPerSecond) : undefined;
}
