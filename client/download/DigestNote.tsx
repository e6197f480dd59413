import "./DigestNote.css";

/**
 * The number of characters that are shown at first. They are enough to distinguish files; the rest is shown on request.
 */
const shortDigest = 12;

/** The SHA-256 of a file, in hexadecimal. */
export function DigestNote({ name, sha256 }: { name: string; sha256: string }) {
  return (
    <details className="digest note">
      <summary aria-label={`SHA-256 of ${name}: ${sha256.slice(0, shortDigest)}, show all of it`}>
        {sha256.slice(0, shortDigest)}…
      </summary>
      <code>{sha256}</code>
    </details>
  );
}
