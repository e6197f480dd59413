import type { Plugin } from "vite";

/** Blueprint has two drawings of each icon in every bundle, for 16 and for 20 pixels. Only the one for 16 is kept, for both sizes. */
export const oneIconGrid: Plugin = {
  name: "one-icon-grid",
  enforce: "pre",
  transform(code, id) {
    if (!/@blueprintjs\/icons\/lib\/esm\/(generated\/components\/[\w-]+|svgIconContainer)\.js$/.test(id)) return null;
    const large = /const isLarge = .*;/;
    if (!large.test(code)) throw new Error(`${id} is not what client/build/iconGrid.ts knows.`);
    return code.replace(large, "").replace("isLarge ? PATHS_20 : PATHS_16", "PATHS_16").replace("isLarge ? IconSize.LARGE : IconSize.STANDARD", "IconSize.STANDARD");
  },
};
