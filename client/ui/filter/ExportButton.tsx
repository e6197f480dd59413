import { AnchorButton } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";

export type ExportButtonProps = {
  /** The address of the file; undefined if there is nothing to export. */
  href: string | undefined;
  /** "of …": what the file holds. Part of the button's title. */
  label: string;
  text?: string;
  /** Without its text, where there is little room. */
  isIcon?: boolean;
};

/** Exports a list as a CSV file. All lists use this button, so that it looks the same everywhere. */
export function ExportButton({ href, label, text = "Export CSV", isIcon = false }: ExportButtonProps) {
  return (
    <AnchorButton
      aria-label={isIcon ? text : undefined}
      title={`A file ${label}`}
      disabled={href === undefined}
      download
      href={href}
      icon={<ImportIcon />}
      text={isIcon ? undefined : text}
    />
  );
}
