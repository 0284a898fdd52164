import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import type { Config } from "./config.ts";
import { dataFolder, refuseForeign, startEmbeddedPostgres } from "./db/embedded.ts";
import type { ConnectAs } from "./db/pools.ts";
import { masterKeys } from "./secrets/kept-keys.ts";
import { secretBox } from "./secrets/secrets.ts";
import type { SecretBox } from "./secrets/secrets.ts";

export const projectFolder = fileURLToPath(new URL("../../", import.meta.url));

/** Our database in the embedded cluster. */
export const embeddedDatabase = "countinghouse";

/** The database and data folder of this installation. */
export interface Installation {
  readonly dataDir: string;
  readonly embedded: boolean;
  readonly secrets: SecretBox;
  /** The owner's connection, for migrations, audits and seeding; requests never use it. */
  readonly ownerConfig: () => pg.ClientConfig;
  readonly connectAs: ConnectAs;
  /** How to reach the replica, where there is one. */
  readonly connectReplicaAs?: ConnectAs | undefined;
  /** For psql. */
  readonly connectionString: string;
  stop(): Promise<void>;
}

/** Starts or finds the database. `keepRunning`: an embedded one keeps running when this process ends. */
export async function openInstallation(config: Config, log: (line: string) => void, keepRunning = false): Promise<Installation> {
  const dataDir = dataFolder(projectFolder, config.dataDir);
  if (!config.databaseUrl) refuseForeign(dataDir);
  await mkdir(dataDir, { recursive: true });
  const secrets = secretBox(...(await masterKeys(config, dataDir)));
  if (config.databaseUrl) {
    const connectionString = config.databaseUrl;
    const replica = config.databaseReplicaUrl;
    return {
      dataDir,
      embedded: false,
      secrets,
      ownerConfig: () => ({ connectionString, connectionTimeoutMillis: 10_000, keepAlive: true }),
      connectAs: () => ({ connectionString }),
      connectReplicaAs: replica === undefined ? undefined : () => ({ connectionString: replica }),
      connectionString,
      stop: async () => undefined,
    };
  }
  const postgres = await startEmbeddedPostgres({ dir: dataDir, keepRunning, log });
  await withClient(postgres.connection(), async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [embeddedDatabase]);
    if (rowCount) return;
    await client.query(`create database ${embeddedDatabase}`).catch((error: unknown) => {
      if (!(error instanceof pg.DatabaseError && ["42P04", "23505"].includes(error.code ?? ""))) throw error; // a sibling process was faster
    });
  });
  return {
    dataDir,
    embedded: true,
    secrets,
    ownerConfig: () => postgres.connection(embeddedDatabase),
    connectAs: (role) => postgres.connection(embeddedDatabase, role),
    connectionString: `postgresql:///${embeddedDatabase}?host=${encodeURIComponent(postgres.socketDir)}&port=${postgres.port}&user=app`,
    stop: () => postgres.stop(),
  };
}

/** Runs `work` with a connection of its own. */
export async function withClient<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  client.on("error", () => undefined); // pending queries fail with it
  await client.connect().catch((error: unknown) => {
    throw new Error(`no connection to the database: ${reasonOf(error)}`, { cause: error });
  });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The message of a connection error; a host with several addresses has one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
