import { AnchorButton } from "@blueprintjs/core";
import { ImportIcon } from "@blueprintjs/icons";

type ExportButtonProps = {
  /** The address of the file. Without one there is nothing to export. */
  href: string | undefined;
  /** "of …": what the file holds, for those who do not see what stands around the button. */
  label: string;
};

/** Saves what a list shows as a CSV file: the same look and words everywhere. */
export function ExportButton({ href, label }: ExportButtonProps) {
  return <AnchorButton title={`A file ${label}`} disabled={href === undefined} download href={href} icon={<ImportIcon />} text="Export CSV" />;
}
