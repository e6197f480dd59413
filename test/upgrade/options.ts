import { parseArgs } from "node:util";

/** How long each phase lasts, at least, and how many gateways are killed while both versions serve. */
export type Pace = { seconds: number; kills: number };
export type Options = Pace & { previous: string | undefined; nginx: boolean };

export const help = `npm run upgrade-trial -- [options]

  --previous COMMIT   the release before this one; without it the newest tag before this commit, or where there is none the commit that landed last
  --seconds 20        how long each phase lasts, at least
  --kills 10          gateways that are killed while both versions serve
  --nginx             behind nginx with the site of deploy/nginx.conf; it must be installed`;

/** The options of the command line, or a text if something is wrong with them. */
export function readOptions(args: string[]): Options | string {
  try {
    const { values } = parseArgs({
      args,
      options: {
        previous: { type: "string" },
        seconds: { type: "string", default: "20" },
        kills: { type: "string", default: "10" },
        nginx: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    const [seconds, kills] = [values.seconds, values.kills].map(Number);
    if (values.help) return help;
    if (![seconds, kills].every((number) => Number.isInteger(number) && number! >= 0))
      return "Seconds and kills are whole numbers.";
    return { previous: values.previous, nginx: values.nginx, seconds: seconds!, kills: kills! };
  } catch (error) {
    return `${(error as Error).message}\n\n${help}`;
  }
}
