import { posix } from "node:path";

/**
 * What each room may import: one table, checked against the existing folders. There is no list of nouns: a folder of
 * `gateway/` or `client/` that is not named here is a noun, and a noun's walls apply to it from its first file on.
 */

export type Source = { file: string; text: string };
/** `to`: a file of the project, as a path from its root, or the name of a package. */
type Import = { to: string; isType: boolean; isLater: boolean };

const groundRooms = new Set([
  "access",
  "audit",
  "calendar",
  "graphql",
  "input",
  "reading",
  "rest",
  "storage",
  "tracing",
]);
const topRooms = new Set(["build", "demo", "http", "workers"]);
const clientRooms = new Set(["build", "gql", "public", "shell", "store", "ui"]);

const gatewayRoom = (file: string): string | undefined => /^gateway\/([^/]+)\//.exec(file)?.[1];
const isGround = (file: string): boolean =>
  groundRooms.has(gatewayRoom(file) ?? "") || /^gateway\/(context|problem)\.ts$/.test(file);
const isGatewayNoun = (file: string): boolean => {
  const room = gatewayRoom(file);
  return room !== undefined && !groundRooms.has(room) && !topRooms.has(room);
};
const isClientNoun = (file: string): boolean => {
  const room = /^client\/([^/]+)\//.exec(file)?.[1];
  return room !== undefined && !clientRooms.has(room);
};
/**
 * Where the program starts: the server, the commands, and files that list all nouns. They are above everything else.
 */
const isEntry = (file: string): boolean =>
  /^gateway\/(main|faces|schema|startChecks)\.ts$|\.command\.ts$|\.mjs$/.test(file) ||
  topRooms.has(gatewayRoom(file) ?? "");

const isRules = (file: string): boolean => file.endsWith(".rules.ts");
const isGraphqlFace = (file: string): boolean => file.endsWith(".graphql.ts");
const isRestFace = (file: string): boolean => file.endsWith(".rest.ts");
const isFace = (file: string): boolean => isGraphqlFace(file) || isRestFace(file);
/** A screen shows parts of many nouns, and is above them. */
const isScreen = (file: string): boolean => file.startsWith("client/") && file.endsWith("Screen.tsx");
/** Files that start the client or the page of the explorer, and list the screens. */
const isClientStart = (file: string): boolean => /^client\/([^/]+|explorer\/explorer\.tsx)$/.test(file);
/**
 * The gateway's nouns from the bottom up. Those on one floor do not import each other. All others may be anywhere, as
 * long as there is no circle.
 */
const floors = [["reference"], ["user"], ["facility"], ["assessment", "tdb"], ["dash"]];
const floorOf = (file: string): number => floors.findIndex((nouns) => nouns.includes(gatewayRoom(file) ?? ""));
/** The rooms that implement GraphQL and REST. */
const isSpeaker = (file: string): boolean => /^gateway\/(graphql|rest)\//.test(file);

const isGraphql = (to: string): boolean =>
  /^(graphql|graphql-.*|@pothos\/.*)$/.test(to) || to.startsWith("gateway/graphql/") || isGraphqlFace(to);
const isRest = (to: string): boolean =>
  /^(fastify|fastify-.*|@fastify\/.*)$/.test(to) || to.startsWith("gateway/rest/") || isRestFace(to);
const isSql = (to: string): boolean => /^(kysely|pg|pg-.*)$/.test(to);

type Wall = {
  name: string;
  of: (file: string) => boolean;
  refuses: (to: string, file: string, isType: boolean) => boolean;
};

const walls = [
  {
    name: "a migration imports Kysely only",
    of: (file) => file.startsWith("migrations/"),
    refuses: (to) => to !== "kysely",
  },
  {
    name: "db knows no rights, no HTTP and no client",
    of: (file) => file.startsWith("db/"),
    refuses: (to) => /^(gateway|client|test)\//.test(to) || isGraphql(to) || isRest(to),
  },
  {
    name: "db/engine knows no table and no list",
    of: (file) => file.startsWith("db/engine/"),
    refuses: (to) => to.startsWith("db/") && !to.startsWith("db/engine/") && to !== "db/schema.ts",
  },
  {
    name: "db/list knows no noun",
    of: (file) => file.startsWith("db/list/"),
    refuses: (to) => to.startsWith("db/") && !/^db\/(engine|list)\/|^db\/schema\.ts$/.test(to),
  },
  {
    name: "SQL is written in db and migrations only",
    of: (file) => /^(gateway|client)\//.test(file),
    refuses: (to) => isSql(to),
  },
  {
    name: "rules import zod, the ZIP reader and other rules",
    of: isRules,
    refuses: (to) => to !== "zod" && !to.startsWith("@zip.js/zip.js/") && !isRules(to),
  },
  {
    name: "what nouns share knows no noun",
    of: isGround,
    // The context imports the types of its values.
    refuses: (to, file, isType) => (isGatewayNoun(to) && !(isType && file === "gateway/context.ts")) || isEntry(to),
  },
  {
    name: "nobody but an entry imports an entry",
    of: (file) => isGatewayNoun(file) && !isEntry(file),
    refuses: (to) => isEntry(to),
  },
  {
    name: "the environment is for entries",
    of: (file) => file.startsWith("gateway/") && !isEntry(file),
    refuses: (to) => to === "gateway/env.ts",
  },
  {
    name: "an act knows no face, no GraphQL and no HTTP",
    of: (file) => isGatewayNoun(file) && !isFace(file) && !isEntry(file),
    refuses: (to) => isGraphql(to) || isRest(to),
  },
  { name: "a GraphQL face knows no REST", of: isGraphqlFace, refuses: (to) => isRest(to) },
  { name: "a REST face knows no GraphQL", of: isRestFace, refuses: (to) => isGraphql(to) },
  {
    name: "a face calls its act, never SQL",
    of: isFace,
    refuses: (to) => to.startsWith("db/") && to !== "db/list/page.ts" && !isRules(to),
  },
  {
    name: "REST and GraphQL call acts, never SQL",
    of: isSpeaker,
    refuses: (to) => to.startsWith("db/") && !to.startsWith("db/list/"),
  },
  {
    name: "nouns of the gateway know those below them only",
    of: (file) => floorOf(file) >= 0,
    refuses: (to, file) => floorOf(to) >= floorOf(file) && gatewayRoom(to) !== gatewayRoom(file),
  },
  {
    name: "one file knows OpenTelemetry, and is loaded where traces are on",
    of: (file) => file !== "gateway/tracing/openTelemetry.ts",
    refuses: (to, file) =>
      to.startsWith("@opentelemetry/") ||
      (to === "gateway/tracing/openTelemetry.ts" && file !== "gateway/workers/serving.ts"),
  },
  {
    name: "the gateway knows no client",
    of: (file) => file.startsWith("gateway/"),
    refuses: (to) => to.startsWith("client/") || to.startsWith("test/"),
  },
  {
    name: "of the server, the client imports rules only",
    of: (file) => file.startsWith("client/"),
    refuses: (to) => /^(gateway|db|migrations|test)\//.test(to) && !isRules(to),
  },
  {
    name: "client/ui knows no noun, no shell and no query",
    of: (file) => file.startsWith("client/ui/"),
    refuses: (to) =>
      (to.startsWith("client/") && !to.startsWith("client/ui/")) || (to.startsWith("gateway/") && !isGround(to)),
  },
  {
    name: "only charts import vega",
    of: (file) => file.startsWith("client/") && !file.startsWith("client/ui/chart/"),
    refuses: (to) => /^(react-)?vega(-.*)?$/.test(to),
  },
  {
    name: "client/shell knows no noun",
    of: (file) => file.startsWith("client/shell/"),
    refuses: (to) => isClientNoun(to),
  },
  {
    name: "nobody but a screen or the start shows a screen",
    of: (file) => file.startsWith("client/") && !isClientStart(file) && !isScreen(file),
    refuses: (to) => isScreen(to) && !to.startsWith("client/shell/"),
  },
  {
    name: "client/store knows nothing but itself",
    of: (file) => file.startsWith("client/store/"),
    refuses: (to) => to.startsWith("client/") && !to.startsWith("client/store/"),
  },
] as const satisfies readonly Wall[];

const forms = [
  /(?:^|\n)\s*(?<kind>import|export)\s+(?<names>type\s[^"';]*?|[\w*{][^"';]*?)\s*from\s*"(?<to>[^"]+)"/g,
  /(?:^|\n)\s*(?<kind>import)\s*"(?<to>[^"]+)"/g,
  /\b(?<kind>import)\s*\(\s*"(?<to>[^"]+)"/g,
];

/** The imports of a file: at its top, in its code (`import()`), and what it exports from other files. */
export function importsOf({ file, text }: Source): Import[] {
  return forms.flatMap((form, number) =>
    [...text.matchAll(form)].map(({ groups }) => {
      const { to: named, names = "" } = groups as { to: string; names?: string };
      const [to = ""] = named.split("?");
      const inBraces = /^\{([^}]*)\}$/.exec(names.trim())?.[1];
      const isType =
        /^type\s/.test(names) ||
        (inBraces !== undefined && inBraces.split(",").every((name) => /^\s*(type\s|$)/.test(name)));
      return { to: to.startsWith(".") ? posix.join(posix.dirname(file), to) : to, isType, isLater: number === 2 };
    }),
  );
}

/** Where a wall is broken: its name, the file and what the file imports. */
export function brokenWalls(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    importsOf(source).flatMap(({ to, isType }) =>
      walls
        .filter(({ of, refuses }: Wall) => of(source.file) && refuses(to, source.file, isType))
        .map(({ name }) => `${name}: ${source.file} imports ${to}`),
    ),
  );
}

/**
 * A file's place in the order of rooms. Entries, files outside a room and screens are places of their own, and so are
 * the inner rooms of the shell: the clock is below the client's queries, the session above. Rules of db import nothing
 * else from db.
 */
function placeOf(file: string): string | undefined {
  if (file.startsWith("db/") && isRules(file)) return "db's rules";
  if (/^gateway\/[^/]+$|^client\/shell\/[^/]+$/.test(file) || isEntry(file) || isClientStart(file) || isScreen(file))
    return file;
  if (file === "db/schema.ts") return undefined;
  const place = /^(?:client\/shell\/[^/]+|(?:gateway|client)\/[^/]+|db\/[^/]+(?=\/)|db|migrations)/.exec(file);
  return place?.[0];
}

/**
 * Rooms that import each other, directly or through others: "a > b > a". If there are none, all arrows can be drawn
 * downwards. A later import (`import()`) and the types that the context imports are not arrows.
 */
export function circles(sources: readonly Source[]): string[] {
  const arrows = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = placeOf(source.file);
    if (!from) continue;
    for (const { to, isType, isLater } of importsOf(source)) {
      const place = placeOf(to);
      if (!place || place === from || isLater || (isType && source.file === "gateway/context.ts")) continue;
      arrows.set(from, (arrows.get(from) ?? new Set()).add(place));
    }
  }
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (place: string, path: readonly string[]): void => {
    const start = path.indexOf(place);
    if (start >= 0) found.push([...path.slice(start), place].join(" > "));
    if (start >= 0 || done.has(place)) return;
    for (const next of arrows.get(place) ?? []) walk(next, [...path, place]);
    done.add(place);
  };
  for (const place of arrows.keys()) walk(place, []);
  return found;
}

/** Folders of more than fifteen files, which are hard to survey. A noun's own folder may have more. */
export function fullFolders(files: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > 15 && !isGatewayNoun(`${folder}/`) && !isClientNoun(`${folder}/`))
    .map(([folder]) => folder);
}
