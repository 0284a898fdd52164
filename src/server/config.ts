import { randomBytes } from "node:crypto";
import { z } from "zod";
import { defaultTenantShare } from "./db/turns.ts";
import { readFilesPlace } from "./files/place.ts";
import type { FilesPlace } from "./files/place.ts";
import { isNetwork } from "./realtime/address.ts";

/** All settings, read from the environment and documented in README.md, "Configuration". `readConfig` names the wrong ones. */
const port = z.coerce.number().int().min(0).max(65_535);
const flag = z.enum(["true", "false", "1", "0", ""]).transform((text) => text === "true" || text === "1");
/**
 * Most connections for requests to the embedded PostgreSQL. It has 100 (db/embedded-cluster.ts): 3 are reserved, a process takes up to 9
 * for all else, and as many are left for a command run meanwhile.
 */
const mostEmbedded = 79;
const masterKey = z.base64().refine((text) => Buffer.from(text, "base64").length === 32, "must be 32 bytes in base64");

const Environment = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: port.default(8080),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A streaming replica of it, for reading. */
  DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  /** Share of these connections one tenant may hold at a time. */
  DATABASE_TENANT_SHARE: z.coerce.number().gt(0).max(1).default(defaultTenantShare),
  DATA_DIR: z.string().min(1).optional(),
  /** Where receipts are kept: a folder, the database, or an S3-compatible service. */
  FILES_URL: z.string().optional(),
  AWS_ACCESS_KEY_ID: z.string().optional(),
  AWS_SECRET_ACCESS_KEY: z.string().optional(),
  AWS_REGION: z.string().optional(),
  /** Seeds demo data and simulates merchants; the default on an empty embedded database. */
  DEMO: flag.optional(),
  /** Marks a development server: tenants may allow callbacks to the machine itself. */
  DEVELOPMENT: flag.default(false),
  /** 32 bytes, base64: signs tokens and encrypts secrets. */
  MASTER_KEY: masterKey.optional(),
  /** The previous key, while the keys are rotated. */
  MASTER_KEY_PREVIOUS: masterKey.optional(),
  /** Seals the master key in a backup, and opens it when the backup is restored; without it the terminal asks. */
  BACKUP_PASSPHRASE: z.string().min(12).optional(),
  /** Comma-separated origins browsers may use in addition to the server's own. */
  ORIGINS: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((origin) => origin.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.url())),
  /** Addresses or networks of reverse proxies whose X-Forwarded-For is trusted. */
  TRUST_PROXY: z
    .string()
    .default("")
    .transform((text) =>
      text
        .split(",")
        .map((hop) => hop.trim())
        .filter(Boolean),
    )
    .pipe(z.array(z.string().refine(isNetwork, "must be IP addresses or networks such as 10.0.0.0/8, comma separated"))),
  REALTIME_APP_ID: z.string().optional(),
  REALTIME_KEY: z.string().optional(),
  REALTIME_SECRET: z.string().optional(),
  REALTIME_CLUSTER: z.string().optional(),
  REALTIME_HOST: z.string().optional(),
  REALTIME_PORT: port.optional(),
  REALTIME_TLS: flag.default(true),
  /** Acknowledges that a hosted service sends every event to all subscribers of the channel. */
  REALTIME_SHARED_EVENTS: flag.default(false),
  /** The URL of the console, for links in mails. */
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** smtp:// or smtps://, with user and password where needed; without it mails are kept and shown to owners. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Sender of mails: an address, or a name with one in angle brackets. */
  MAIL_FROM: z
    .string()
    .regex(/^[^@\r\n]+@[^@\s]+$/)
    .optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  /** Bearer token for /metrics; without it only this machine can read it. */
  METRICS_TOKEN: z.string().min(16).optional(),
  /** Requests per minute from one address; more are answered 429. */
  REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(6_000),
});

export interface RealtimeConfig {
  readonly appId: string;
  readonly key: string;
  readonly secret: string;
  readonly cluster: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** Our own endpoint, on the server's port. */
  readonly embedded: boolean;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly databaseUrl: string | undefined;
  readonly databaseReplicaUrl: string | undefined;
  readonly databasePool: number;
  readonly databaseTenantShare: number;
  readonly dataDir: string | undefined;
  readonly files: FilesPlace;
  readonly demo: boolean | undefined;
  readonly development: boolean;
  readonly masterKey: Buffer | undefined;
  readonly previousMasterKey: Buffer | undefined;
  /** undefined: the terminal asks for it. */
  readonly backupPassphrase: string | undefined;
  readonly origins: readonly string[];
  readonly trustProxy: readonly string[];
  /** undefined: the embedded endpoint. */
  readonly realtimeService: RealtimeConfig | undefined;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** undefined: mails are kept and shown to owners. */
  readonly smtp: { readonly url: string; readonly from: string } | undefined;
  readonly logLevel: string;
  /** undefined: only this machine can read /metrics. */
  readonly metricsToken: string | undefined;
  readonly requestsPerMinute: number;
}

/** Whether tenants may allow callbacks to the machine itself: on a development server, or with demo data. */
export const isDevelopment = ({ development, demo }: Pick<Config, "development" | "demo">): boolean => development || demo === true;

/** Throws an Error that names each wrong setting and its rule. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const known = Object.fromEntries(
    Object.keys(Environment.shape).map((name) => [name, environment[name] === "" ? undefined : environment[name]]),
  );
  const read = Environment.safeParse(known);
  if (!read.success) {
    throw new Error(`wrong settings:\n${read.error.issues.map((issue) => `  ${issue.path.join(".")}: ${issue.message}`).join("\n")}`);
  }
  const env = read.data;
  const service = [env.REALTIME_APP_ID, env.REALTIME_KEY, env.REALTIME_SECRET];
  if (service.some(Boolean) && !service.every(Boolean)) {
    throw new Error(
      "wrong settings:\n  REALTIME_APP_ID, REALTIME_KEY and REALTIME_SECRET: set all three, or none for the embedded endpoint",
    );
  }
  if (env.REALTIME_CLUSTER && env.REALTIME_HOST) {
    throw new Error("wrong settings:\n  REALTIME_CLUSTER, REALTIME_HOST: set one, which says where the service is");
  }
  // the specification has one channel for all events, and only our own endpoint can check the permission of each
  if (env.REALTIME_APP_ID && !env.REALTIME_SHARED_EVENTS) {
    throw new Error(
      "wrong settings:\n  REALTIME_SHARED_EVENTS: must be true with a hosted service, which sends all events with their counts to " +
        "whoever may see one of them, and keeps a socket whose session has ended until its page closes; see README, “Running it for real”",
    );
  }
  // start-up options would override ours, and a pooler may drop them
  for (const name of ["DATABASE_URL", "DATABASE_REPLICA_URL"] as const) {
    const url = env[name];
    if (url === undefined || !new URL(url).searchParams.has("options")) continue;
    throw new Error(`wrong settings:\n  ${name}: no options= in it; roles and limits are the server's own to set`);
  }
  if (env.DATABASE_REPLICA_URL && !env.DATABASE_URL) {
    throw new Error(
      "wrong settings:\n  DATABASE_REPLICA_URL: needs DATABASE_URL, the primary it is a replica of; the embedded PostgreSQL has none",
    );
  }
  if (environment["PGOPTIONS"])
    throw new Error("wrong settings:\n  PGOPTIONS: must not be set; roles and limits are the server's own to set");
  if (!env.DATABASE_URL && env.DATABASE_POOL > mostEmbedded) {
    throw new Error(
      `wrong settings:\n  DATABASE_POOL: at most ${mostEmbedded} without DATABASE_URL; the embedded PostgreSQL has no more connections`,
    );
  }
  if (env.DATABASE_URL && !env.MASTER_KEY) {
    throw new Error("wrong settings:\n  MASTER_KEY: needed with DATABASE_URL (32 random bytes in base64)");
  }
  if (env.MASTER_KEY_PREVIOUS && !env.MASTER_KEY) {
    throw new Error("wrong settings:\n  MASTER_KEY: needed with MASTER_KEY_PREVIOUS; a kept key keeps the one before it beside it");
  }
  if (env.SMTP_URL && !(env.MAIL_FROM && env.PUBLIC_URL)) {
    throw new Error("wrong settings:\n  MAIL_FROM and PUBLIC_URL: needed with SMTP_URL (the sender, and what links in mails begin with)");
  }
  return {
    host: env.HOST,
    port: env.PORT,
    databaseUrl: env.DATABASE_URL,
    databaseReplicaUrl: env.DATABASE_REPLICA_URL,
    databasePool: env.DATABASE_POOL,
    databaseTenantShare: env.DATABASE_TENANT_SHARE,
    dataDir: env.DATA_DIR,
    files: filesOf(env),
    demo: env.DEMO,
    development: env.DEVELOPMENT,
    masterKey: env.MASTER_KEY ? Buffer.from(env.MASTER_KEY, "base64") : undefined,
    previousMasterKey: env.MASTER_KEY_PREVIOUS ? Buffer.from(env.MASTER_KEY_PREVIOUS, "base64") : undefined,
    backupPassphrase: env.BACKUP_PASSPHRASE,
    origins: env.ORIGINS,
    trustProxy: env.TRUST_PROXY,
    realtimeService:
      env.REALTIME_APP_ID && env.REALTIME_KEY && env.REALTIME_SECRET
        ? {
            appId: env.REALTIME_APP_ID,
            key: env.REALTIME_KEY,
            secret: env.REALTIME_SECRET,
            cluster: env.REALTIME_CLUSTER ?? (env.REALTIME_HOST ? undefined : "mt1"),
            host: env.REALTIME_HOST ?? `api-${env.REALTIME_CLUSTER ?? "mt1"}.pusher.com`,
            port: env.REALTIME_PORT ?? (env.REALTIME_TLS ? 443 : 80),
            tls: env.REALTIME_TLS,
            embedded: false,
          }
        : undefined,
    publicUrl: (env.PUBLIC_URL ?? `http://${env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST}:${env.PORT}`).replace(/\/+$/, ""),
    smtp: env.SMTP_URL && env.MAIL_FROM ? { url: env.SMTP_URL, from: env.MAIL_FROM } : undefined,
    logLevel: env.LOG_LEVEL,
    metricsToken: env.METRICS_TOKEN,
    requestsPerMinute: env.REQUESTS_PER_MINUTE,
  };
}

function filesOf(env: z.output<typeof Environment>): FilesPlace {
  try {
    return readFilesPlace(env.FILES_URL, {
      databaseUrl: env.DATABASE_URL,
      accessKey: env.AWS_ACCESS_KEY_ID,
      secretKey: env.AWS_SECRET_ACCESS_KEY,
      region: env.AWS_REGION,
    });
  } catch (error) {
    throw new Error(`wrong settings:\n  FILES_URL: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export const newMasterKey = (): Buffer => randomBytes(32);
