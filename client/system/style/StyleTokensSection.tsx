const colours = [
  ...["ground", "surface", "surface-hover", "surface-sunken", "ink", "ink-soft", "line", "line-strong"],
  ...["accent", "accent-wash", "good", "warn", "warn-wash", "bad", "rail"],
  ...["chart-deep", "chart-accent", "chart-neutral"],
];
const sizes = ["text-sm", "text-base", "text-lg", "text-xl"];
const spaces = ["space-4", "space-8", "space-12", "space-16", "space-24", "space-32", "space-48"];

/** The tokens of client/shell/theme/tokens.css, and those of charts (client/ui/chart/dataColours.css). */
export function StyleTokensSection() {
  return (
    <>
      <ul aria-label="Type" className="plain">
        {sizes.map((size) => (
          <li key={size} style={{ fontSize: `var(--${size})` }}>
            41 of 59 assessed sites work <code className="note">{size}</code>
          </li>
        ))}
      </ul>
      <ul aria-label="Space" className="row plain">
        {spaces.map((space) => (
          <li key={space}>
            <span className="style-space" style={{ width: `var(--${space})` }} /> <code className="note">{space}</code>
          </li>
        ))}
      </ul>
      <ul aria-label="Colour" className="grid is-close plain">
        {colours.map((colour) => (
          <li key={colour}>
            <span className="style-swatch" style={{ background: `var(--${colour})` }} />{" "}
            <code className="note">{colour}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
