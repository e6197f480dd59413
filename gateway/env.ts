import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

import { z } from "zod";

import { secondFactorHolders } from "./auth/secondFactor.rules.ts";
import { usualTokenLimit } from "./auth/tokenLimit.rules.ts";
import { placeRule } from "./backup/place.rules.ts";
import { readTrustedProxies, type TrustedProxies } from "./access/network.ts";
import { recipientRule } from "./backup/recipient.rules.ts";
import { retentionRule, usualRetention } from "./backup/retention.rules.ts";
import { questionsPerPersonOn, usualShares } from "./reading/shares.rules.ts";
import { usualRhythmDays } from "./tdb/silence.rules.ts";
import { mostWorkers, workersOn } from "./workers/workers.rules.ts";

const timeZone = z.string().refine(
  (name) => {
    // The name becomes part of the database's session settings, so no other characters are allowed.
    if (!/^[A-Za-z0-9_+\-/]+$/.test(name)) return false;
    try {
      new Intl.DateTimeFormat("en", { timeZone: name }).format();
      return true;
    } catch {
      return false;
    }
  },
  { message: "must be the name of a time zone such as Africa/Lusaka" },
);

/** Whether the database's client can parse the address. Unlike a URL, it may lack a host and contain spaces. */
const canBeRead = (address: string): boolean => URL.canParse(address.replaceAll(" ", "%20").replace("@/", "@host/"));
const postgresAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\/./, { message: "must begin with postgres:// or postgresql://", abort: true })
  .refine(
    canBeRead,
    "must be an address such as postgres://user:password@host:5432/database; signs such as @ and # of a password are written %40 and %23",
  );

const whole = (least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`;
  return z.coerce.number(message).int(message).min(least, message).max(most, message);
};

const trustedProxies = (text: string, context: z.RefinementCtx): TrustedProxies => {
  const proxies = readTrustedProxies(text);
  if (proxies !== undefined) return proxies;
  context.addIssue(
    "must be 0, the number of proxies (1 to 10), or their addresses and networks, such as 10.0.0.5,10.1.0.0/16; a network that is nearly everybody is refused",
  );
  return z.NEVER;
};

/** Origins as a browser writes them: scheme, host and port, without a path. */
const origins = z
  .string()
  .transform((text) =>
    text
      .split(",")
      .map((each) => each.trim())
      .filter(Boolean),
  )
  .refine(
    (all) => all.every((each) => /^https?:/.test(each) && URL.canParse(each) && new URL(each).origin === each),
    "must be origins such as https://analysis.example, with commas between them",
  );

/** Headers in OpenTelemetry's format: name=value pairs separated by commas, values percent-encoded. */
const headersRule = z
  .string()
  .refine(
    (text) =>
      text.split(",").every((pair) => /^\s*[\w!#$&'*+.^`|~-]+\s*=/.test(pair)) && !/%(?![0-9a-f]{2})/i.test(text),
    "must be pairs such as name=value, with commas between them",
  )
  .transform((text) =>
    Object.fromEntries(
      text
        .split(",")
        .map((pair) => [pair.split("=")[0]!.trim(), decodeURIComponent(pair.slice(pair.indexOf("=") + 1).trim())]),
    ),
  );

const logLevels = ["fatal", "error", "warn", "info", "debug", "silent"] as const;

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const loopback = new Set(["127.0.0.1", "localhost", "::1"]);

const settings = z
  .object({
    PORT: whole(0, 65535).default(4000),
    HOST: z.string().min(1).default("127.0.0.1"),
    DATABASE_URL: postgresAddress.optional(),
    REPLICA_DATABASE_URL: postgresAddress.optional(),
    REPLICA_LAG_SECONDS: whole(3, 3600).default(10),
    DATA_DIR: z.string().min(1).default(".data"),
    WORKERS: whole(1, mostWorkers).optional(),
    DEMO: z.enum(["0", "1"], "must be 0 or 1").optional(),
    TIME_ZONE: timeZone.default("Africa/Lusaka"),
    TRUST_PROXY: z.string().default("0").transform(trustedProxies),
    S3_BUCKET: z
      .string()
      .regex(/^.{3,63}$/, "must be the name of a bucket, 3 to 63 characters")
      .optional(),
    S3_REGION: z.string().min(1).default("us-east-1"),
    S3_ENDPOINT: z.url("must be an address such as https://objects.example").optional(),
    S3_ACCESS_KEY_ID: z.string().optional(),
    S3_SECRET_ACCESS_KEY: z.string().optional(),
    UPLOAD_IDLE_SECONDS: whole(1, 3600).default(60),
    UPLOAD_MINUTES: whole(1, 1440).default(30),
    UPLOADS_PER_USER: whole(1, 1000).default(8),
    UPLOADS_AT_ONCE: whole(1, 10_000).default(64),
    TDB_RHYTHM_DAYS: z.coerce
      .number("must be a whole number of days")
      .int("must be a whole number of days")
      .min(1, "must be 1 or more days")
      .max(3650, "must be 3650 days or fewer")
      .default(usualRhythmDays),
    UPLOAD_KEEP_HOURS: whole(1, 8760).default(168),
    CORS_ORIGINS: origins.optional(),
    TOKEN_REQUESTS: whole(1, 1_000_000).default(usualTokenLimit.times),
    TOKEN_SECONDS: whole(1, 86_400).default(usualTokenLimit.seconds),
    REQUIRE_SECOND_FACTOR: z.enum(secondFactorHolders, `must be ${secondFactorHolders.join(" or ")}`).default("off"),
    STATEMENT_SECONDS: whole(1, 3600).default(30),
    HEAVY_CONNECTIONS: whole(1, 100).default(usualShares.atOnce),
    HEAVY_PER_PERSON: whole(1, usualShares.perPerson).default(questionsPerPersonOn(availableParallelism())),
    HEAVY_SECONDS: whole(1, 3600).default(60),
    HEAVY_WAIT_SECONDS: whole(1, 600).default(usualShares.waitSeconds),
    KEPT_ANSWERS_MB: whole(0, 65_536).default(128),
    LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(", ")}`).optional(),
    LOG_FORMAT: z.enum(["json", "text"], "must be json or text").optional(),
    TDB_KEEP_DAYS: whole(30, 36_500).optional(),
    TDB_KEEP_DELTAS: whole(1, 100_000).optional(),
    RECEIPT_KEEP_DAYS: whole(30, 36_500).optional(),
    DOWNLOAD_KEEP_DAYS: whole(1, 36_500).optional(),
    AUDIT_KEEP_DAYS: whole(365, 36_500).optional(),
    SLOW_STATEMENT_MS: whole(1, 3_600_000).optional(),
    METRICS_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, "must have at least 16 characters, without spaces")
      .optional(),
    DRAIN_SECONDS: whole(0, 300).default(0),
    BACKUP_DIR: placeRule.optional(),
    BACKUP_S3_REGION: z.string().min(1).optional(),
    BACKUP_S3_ENDPOINT: z.url("must be an address such as https://objects.example").optional(),
    BACKUP_S3_ACCESS_KEY_ID: z.string().optional(),
    BACKUP_S3_SECRET_ACCESS_KEY: z.string().optional(),
    BACKUP_RECIPIENT: recipientRule.optional(),
    BACKUP_KEEP: retentionRule.prefault(usualRetention),
    OTEL_EXPORTER_OTLP_ENDPOINT: z
      .url({ protocol: /^https?$/, message: "must be an address such as http://collector.example:4318" })
      .optional(),
    OTEL_EXPORTER_OTLP_HEADERS: headersRule.optional(),
    OTEL_SERVICE_NAME: z.string().min(1).default("smartcare-platform"),
    OTEL_TRACES_SAMPLER: z.enum(samplers, `must be one of ${samplers.join(", ")}`).default("parentbased_always_on"),
    OTEL_TRACES_SAMPLER_ARG: z.coerce
      .number("must be a number from 0 to 1")
      .min(0, "must be a number from 0 to 1")
      .max(1, "must be a number from 0 to 1")
      .default(1),
  })
  .transform(({ DEMO: demo, LOG_LEVEL, LOG_FORMAT, ...rest }) => {
    const DEMO = demo ? demo === "1" : !rest.DATABASE_URL;
    return {
      ...rest,
      DEMO,
      WORKERS: rest.WORKERS ?? workersOn(availableParallelism(), !rest.DATABASE_URL),
      // The demonstration's log is read by a person in a terminal, that of production by a collector.
      LOG_LEVEL: LOG_LEVEL ?? (DEMO ? "warn" : "info"),
      LOG_FORMAT: LOG_FORMAT ?? (DEMO ? "text" : "json"),
    };
  })
  .refine(({ DEMO, HOST }) => !DEMO || loopback.has(HOST), {
    path: ["HOST"],
    message:
      "the demonstration has well-known passwords and listens on loopback only: leave HOST at 127.0.0.1, or set DEMO=0",
  })
  .refine(({ DATABASE_URL, REPLICA_DATABASE_URL }) => DATABASE_URL || !REPLICA_DATABASE_URL, {
    path: ["REPLICA_DATABASE_URL"],
    message: "must be a replica of the server of DATABASE_URL, which is not set",
  })
  .refine(
    ({ RECEIPT_KEEP_DAYS, UPLOAD_KEEP_HOURS }) =>
      RECEIPT_KEEP_DAYS === undefined || RECEIPT_KEEP_DAYS * 24 > UPLOAD_KEEP_HOURS,
    {
      path: ["RECEIPT_KEEP_DAYS"],
      message:
        "must be longer than UPLOAD_KEEP_HOURS: during that time a sender may ask for the receipt of an upload again",
    },
  )
  .refine(({ DEMO, S3_BUCKET }) => !DEMO || !S3_BUCKET, {
    path: ["S3_BUCKET"],
    message: "the demonstration keeps its files in DATA_DIR: leave S3_BUCKET empty, or set DEMO=0",
  });

export type Settings = z.infer<typeof settings>;

/** The settings of object storage; undefined if files are stored in a folder. */
export function objectsOf({ S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }: Settings) {
  if (!S3_BUCKET) return undefined;
  return {
    bucket: S3_BUCKET,
    region: S3_REGION,
    endpoint: S3_ENDPOINT,
    accessKeyId: S3_ACCESS_KEY_ID,
    secretAccessKey: S3_SECRET_ACCESS_KEY,
  };
}

/** The settings of object storage for backups: each by its own setting, or else that of the product's files. */
export function backupReachOf(settings: Settings) {
  const { BACKUP_S3_ACCESS_KEY_ID: id, BACKUP_S3_SECRET_ACCESS_KEY: secret } = settings;
  return {
    region: settings.BACKUP_S3_REGION ?? settings.S3_REGION,
    endpoint: settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT,
    ...(id && secret
      ? { accessKeyId: id, secretAccessKey: secret }
      : { accessKeyId: settings.S3_ACCESS_KEY_ID, secretAccessKey: settings.S3_SECRET_ACCESS_KEY }),
  };
}

/** Settings have values that cannot be used; the message has a line for each. */
class BadSettings extends Error {
  override name = "BadSettings";
}

/** Settings that are secrets or contain one. Each can be given as a file instead, as `<name>_FILE`. */
const secrets = [
  "DATABASE_URL",
  "REPLICA_DATABASE_URL",
  "S3_ACCESS_KEY_ID",
  "S3_SECRET_ACCESS_KEY",
  "BACKUP_S3_ACCESS_KEY_ID",
  "BACKUP_S3_SECRET_ACCESS_KEY",
  "METRICS_TOKEN",
  "OTEL_EXPORTER_OTLP_HEADERS",
] as const;

/**
 * The given settings, with the contents of the files that hold secrets, without a line break at their end.
 *
 * @throws BadSettings
 */
function withSecrets(given: Record<string, string | undefined>): Record<string, string | undefined> {
  const read: Record<string, string> = {};
  for (const name of secrets) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    if (given[name] !== undefined) throw new BadSettings(`Setting ${name}_FILE: ${name} is set too. Set one of them.`);
    try {
      read[name] = readFileSync(path, "utf8").trimEnd();
    } catch (error) {
      throw new BadSettings(
        `Setting ${name}_FILE: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}).`,
      );
    }
    if (read[name] === "") throw new BadSettings(`Setting ${name}_FILE: ${path} is empty.`);
  }
  return { ...given, ...read };
}

/**
 * The product's settings from the environment: the one place that reads it. An empty value counts as not set.
 *
 * @throws BadSettings
 */
export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const result = settings.safeParse(withSecrets(given));
  if (result.success) return result.data;
  throw new BadSettings(
    result.error.issues.map((issue) => `Setting ${issue.path.join(".")}: ${issue.message}`).join("\n"),
  );
}
