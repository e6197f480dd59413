import { AnchorButton, ButtonGroup } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";

export type ExportButtonProps = {
  /** The address of the CSV file, which has the format xlsx too; undefined if there is nothing to export. */
  href: string | undefined;
  /** "of …": what the file holds. Part of the buttons' titles. */
  label: string;
  text?: string;
  /** Only an icon for the CSV file, where there is little room. */
  isIcon?: boolean;
};

/** Exports a list as a CSV file or an Excel workbook. All lists use this button, so that it looks the same everywhere. */
export function ExportButton({ href, label, text = "Export CSV", isIcon = false }: ExportButtonProps) {
  const csv = (
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
  if (isIcon) return csv;
  const excel = href && `${href}${href.includes("?") ? "&" : "?"}format=xlsx`;
  return (
    <ButtonGroup>
      {csv}
      <AnchorButton title={`A workbook ${label}`} disabled={href === undefined} download href={excel} text="Excel" />
    </ButtonGroup>
  );
}
