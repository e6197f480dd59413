const releaseAfterMs = 60_000;

/** Saves a text as a file on the device. */
export function saveAsFile(name: string, text: string, type = "application/json"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), releaseAfterMs);
}
