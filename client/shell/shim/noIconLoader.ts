/**
 * In place of Blueprint's loader of icons by name, which brings the names of all icons into each page (6 kB). Here
 * icons are imported as components.
 */
export const Icons = {
  getPaths: () => undefined,
  load: async (name: string) => {
    throw new Error(`Import the icon ${name} as a component.`);
  },
};
