import { Page } from "../ui/page/Page.tsx";

/** A placeholder, as the specification demands. */
export function UsersScreen() {
  return <Page title="Users">...</Page>;
}
