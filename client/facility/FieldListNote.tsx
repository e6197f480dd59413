import { Callout } from "@blueprintjs/core";
import { OfflineIcon } from "@blueprintjs/icons";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { FromField } from "../keptAnswers.ts";
import { useWhenOnline } from "../ui/network/useWhenOnline.ts";
import { counted } from "../ui/text/counted.ts";
import { routes } from "../routes.ts";
import { useSystem } from "../shell/session/viewer.ts";
import { instantText } from "../ui/text/instants.ts";

type FieldListNoteProps = { query: { field?: FromField; reload: () => void }; children?: ReactNode };

/** Says that an answer is from the downloaded sites, and as of when. Asks the server when the network is back. */
export function FieldListNote({ query: { field, reload }, children }: FieldListNoteProps) {
  const { timeZone } = useSystem();
  useWhenOnline(reload, field !== undefined);
  if (!field) return null;
  return (
    <Callout icon={<OfflineIcon />} role="note">
      This is from the {counted(field.total, "site")} of {field.scopeName} that are kept on this device, as of{" "}
      {instantText(field.asOf, timeZone)}. {children} <Link to={routes.field()}>What is kept</Link>
    </Callout>
  );
}
