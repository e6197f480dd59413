/** Replaces Blueprint's loader of icons by name (see vite.config.ts). */
export class Icons {
  static getPaths(): undefined {
    return undefined;
  }

  static async load(icon: unknown): Promise<void> {
    throw new Error(`Use an icon component in the place of the name ${JSON.stringify(icon)}.`);
  }
}
