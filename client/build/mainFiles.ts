import type { HtmlTagDescriptor, Plugin } from "vite";

/**
 * The page's first script is small and imports the application itself (client/start.ts). This adds preload links for the application's
 * files to the page, so that they are fetched in parallel with that script, not after it; and its styles, so that the first paint
 * has them. The styles come first, because the first paint needs nothing else.
 */
export const mainFiles: Plugin = {
  name: "main-files",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler(html, { bundle = {}, filename }) {
      if (!filename.endsWith("/client/index.html")) return [];
      const scripts = new Set<string>();
      const styles = new Set<string>();
      const take = (name: string): void => {
        const chunk = bundle[name];
        if (scripts.has(name) || chunk?.type !== "chunk") return;
        scripts.add(name);
        chunk.imports.forEach(take);
        chunk.viteMetadata?.importedCss.forEach((file) => styles.add(file));
      };
      const main = Object.values(bundle).find((file) => file.type === "chunk" && file.facadeModuleId?.endsWith("/client/main.tsx"));
      if (!main) throw new Error("The application is not among the built files.");
      take(main.fileName);
      const links = (files: Set<string>, attributes: Record<string, string>): HtmlTagDescriptor[] =>
        [...files]
          .filter((file) => !html.includes(file))
          .map((file) => ({ tag: "link", attrs: { ...attributes, crossorigin: true, href: `/${file}` }, injectTo: "head" }));
      return [...links(styles, { rel: "stylesheet" }), ...links(scripts, { rel: "modulepreload", fetchpriority: "low" })];
    },
  },
};
