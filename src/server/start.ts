import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import pg from "pg";
import type { Logger } from "pino";
import { buildApp } from "./app.ts";
import { authoritiesOf } from "./auth/authority.ts";
import type { Deps } from "./call.ts";
import type { Config, RealtimeConfig } from "./config.ts";
import { buildConsole } from "./console-build.ts";
import { migrate, sqlFolders } from "./db/migrate.ts";
import { requestLimits } from "./db/role-client.ts";
import { openDatabase } from "./db/scope.ts";
import { openFileStore } from "./files/store.ts";
import type { Installation } from "./installation.ts";
import { openInstallation, projectFolder, withClient } from "./installation.ts";
import { jobKinds } from "./jobs/all.ts";
import { runAttempt } from "./jobs/attempt.ts";
import { openQueue } from "./jobs/queue.ts";
import { createSweepRecord } from "./jobs/record.ts";
import { startSweeps } from "./jobs/sweeps.ts";
import { openLog } from "./open-log.ts";
import { countsOfTenant } from "./payments/notifications.ts";
import { embeddedRealtime } from "./realtime/embedded.ts";
import { createRealtimeEndpoint } from "./realtime/endpoint.ts";
import { createPublisher } from "./realtime/publish.ts";
import { requireMasterKey } from "./secrets/master-key.ts";
import type { SecretBox } from "./secrets/secrets.ts";
import { SharedReads } from "./shared-reads.ts";

export interface Running {
  readonly url: string;
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly installation: Installation;
  stop(): Promise<void>;
}

interface StartOptions {
  readonly print: (line: string) => void;
  /** Whether to serve the console from `dist`, built when needed. */
  readonly withConsole: boolean;
  /** Runs after the migrations, as the owner, before the server listens: it seeds the demo. Answers whether there is demo data. */
  readonly prepare?: (installation: Installation, owner: pg.Client, secrets: SecretBox) => Promise<boolean>;
  /** Left out: logs to stderr. */
  readonly log?: Logger;
}

/** A part of the server with its own stop; parts stop in reverse order of their start. */
interface Part {
  readonly name: string;
  stop(): Promise<unknown>;
}

/** Ms to stop all parts; each part leaves a second for each one after it. */
const stopWithin = 9_000;

/** Opens the database, migrates, listens and starts the sweeps. */
export async function startServer(config: Config, options: StartOptions): Promise<Running> {
  const log = options.log ?? openLog(config.logLevel);
  const console = options.withConsole ? buildConsole(projectFolder, options.print) : Promise.resolve(null);
  console.catch(() => undefined); // awaited below; an unhandled rejection here would leave the database running
  const installation = await openInstallation(config, (line) => log.info({ part: "postgres" }, line));
  const parts: Part[] = [{ name: "database cluster", stop: () => installation.stop() }];
  const stop = async () => {
    const until = performance.now() + stopWithin;
    for (let part = parts.pop(); part; part = parts.pop()) {
      const own = until - performance.now() - parts.length * 1_000;
      const late = delay(Math.max(own, 0), "late" as const, { ref: false });
      const ended = await Promise.race([part.stop(), late]).catch((error: unknown) =>
        log.error({ err: error, part: part.name }, "while stopping"),
      );
      if (ended === "late") log.warn({ part: part.name }, "has not stopped in time; the rest stops without it");
    }
  };
  try {
    const { secrets } = installation;
    const demo = await withClient(installation.ownerConfig(), async (owner) => {
      await migrate(owner, sqlFolders, (line) => log.warn({ part: "migrations" }, line));
      await requireMasterKey(owner, secrets);
      return options.prepare?.(installation, owner, secrets);
    });
    const { connectAs, connectReplicaAs } = installation;
    const replica = connectReplicaAs && { connectAs: connectReplicaAs, log };
    const database = openDatabase(connectAs, config.databasePool, requestLimits, config.databaseTenantShare, replica);
    parts.push({ name: "database connections", stop: () => database.close() });
    await database.prove();
    const files = await openFileStore(config, installation.dataDir, join(projectFolder, "dist"), database);
    let port = config.port;
    const realtime = (): RealtimeConfig => config.realtimeService ?? embeddedRealtime(secrets, config.host, port);
    const publisher = createPublisher({ service: realtime, counts: (tenant) => countsOfTenant(database, tenant), log });
    const deps: Deps = {
      config: { ...config, demo: demo || config.demo },
      realtime: realtime(),
      database,
      secrets,
      files,
      jobs: openQueue(database, log),
      publisher,
      log,
      sweeps: createSweepRecord(),
      figures: new SharedReads(),
    };
    const app = await buildApp(deps, { logger: log, consoleFolder: await console });
    if (deps.realtime.embedded) {
      const endpoint = createRealtimeEndpoint({
        service: deps.realtime,
        pool: database.pool,
        listen: () => installation.connectAs("countinghouse_app"),
        authorities: (holders) => authoritiesOf(database, holders),
        origins: config.origins,
        trustProxy: config.trustProxy,
        log,
      });
      await app.register(endpoint.plugin);
      await app.ready();
      await resolveWithin(20, endpoint.ready, "the database lets nobody listen for events (LISTEN)");
    }
    // waits for all connections
    parts.push({ name: "connections", stop: () => Promise.all([app.close(), app.connections.end()]) });
    // stopped before the HTTP server, because events reach the embedded endpoint over HTTP
    parts.push({ name: "realtime events", stop: () => publisher.close() });
    await app.listen({ host: config.host, port: config.port });
    const address = app.server.address();
    if (address && typeof address === "object") port = address.port;
    const sweeps = startSweeps(deps, { anchorsFolder: installation.dataDir });
    deps.jobs.start(jobKinds, (kind, entry, signal) => runAttempt(deps, kind, entry, signal));
    // sweeps after jobs, because they seal what jobs have audited
    const stopWork = () => deps.jobs.stop().finally(() => sweeps.stop());
    parts.push({ name: "answers, jobs and sweeps", stop: () => Promise.all([app.connections.answered(), stopWork()]) });
    parts.push({
      name: "probes",
      stop() {
        app.connections.drain();
        return app.readiness.stop();
      },
    });
    return { url: `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`, app, deps, installation, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Rejects when `awaited` takes longer than `seconds`, so that a start either succeeds or says why not. */
async function resolveWithin(seconds: number, awaited: Promise<void>, otherwise: string): Promise<void> {
  const over = new AbortController();
  const late = delay(seconds * 1000, undefined, { signal: over.signal }).then(() => {
    throw new Error(otherwise);
  });
  late.catch(() => undefined); // aborted below
  await Promise.race([awaited, late]).finally(() => over.abort());
}
