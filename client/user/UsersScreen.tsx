import { Page } from "../ui/page/Page.tsx";

/** A placeholder by specification. */
export function UsersScreen() {
  return <Page title="Users">...</Page>;
}
