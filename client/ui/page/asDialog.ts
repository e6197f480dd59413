/**
 * Makes the content of Blueprint's Drawer or Omnibar a dialog with this name, because neither takes a role or a name.
 * For `onOpening`.
 */
export const asDialog =
  (name: string) =>
  (content: HTMLElement): void => {
    content.setAttribute("role", "dialog");
    content.setAttribute("aria-modal", "true");
    content.setAttribute("aria-label", name);
  };
