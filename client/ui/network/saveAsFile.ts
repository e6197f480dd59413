const releaseAfterMs = 60_000;

/** Saves a content as a file on the device. */
export function saveAsFile(name: string, content: string | Blob, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), releaseAfterMs);
}
