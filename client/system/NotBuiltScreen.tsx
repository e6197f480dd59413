import { BuildIcon } from "@blueprintjs/icons";
import { Notice } from "../ui/Notice.tsx";
import { Page } from "../ui/Page.tsx";

/** A screen whose turn comes later: it says so. */
export function NotBuiltScreen({ title }: { title: string }) {
  return (
    <Page title={title}>
      <Notice heading="This screen is not built yet." icon={<BuildIcon size={20} />} role="status" />
    </Page>
  );
}
