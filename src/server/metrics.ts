import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { Refusal } from "../contract/problems.ts";
import type { Deps } from "./call.ts";
import { slowedGuesses } from "./auth/guesses.ts";
import { passwordGate } from "./auth/passwords.ts";
import { sameBytes, sha256 } from "./auth/tokens.ts";
import type { Replica } from "./db/replica.ts";
import { isLoopbackAddress } from "./outbox/addresses.ts";
import { measureWork } from "./work-metrics.ts";

/**
 * GET /metrics for Prometheus. With METRICS_TOKEN for bearers of the token; without it for this machine only, and never through a proxy.
 */
export function mountMetrics(app: FastifyInstance, deps: Deps): void {
  const { config, database } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const answered = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from request to answer, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const connections = new Gauge({
    name: "database_connections",
    help: "Connections of this process to PostgreSQL: in all, idle, and calls waiting for one",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { totalCount, idleCount, waitingCount } = database.pool;
      this.set({ state: "all" }, totalCount);
      this.set({ state: "idle" }, idleCount);
      this.set({ state: "waiting" }, waitingCount);
    },
  });
  connections.set({ state: "all" }, 0);
  if (database.replica) mountReplicaMetrics(registry, database.replica);
  mountPasswordMetrics(registry);

  measureWork(registry, deps);

  app.addHook("onResponse", async (request, reply) => {
    // the route's pattern, because ids in addresses would create a series each
    const route = request.routeOptions.url ?? "none";
    answered.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
  });
  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, config.metricsToken)) throw new Refusal("not-found");
    return reply
      .header("cache-control", "no-store")
      .type(registry.contentType)
      .send(await registry.metrics());
  });
}

function mountReplicaMetrics(registry: Registry, { counts }: Replica): void {
  new Counter({
    name: "replica_reads_total",
    help: "Reads meant for the replica: answered by it, or by the primary because it was late, away, or ended them to replay a change",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(counts)) this.inc({ outcome }, count);
    },
  });
}

function mountPasswordMetrics(registry: Registry): void {
  new Gauge({
    name: "password_hashes",
    help: "Password hashes of this process: running, and waiting by who asks (stranger: signing in; known: by a session)",
    labelNames: ["state"],
    registers: [registry],
    collect() {
      const { running, waiting } = passwordGate.counts();
      this.set({ state: "running" }, running);
      for (const [lane, count] of Object.entries(waiting)) this.set({ state: lane }, count);
    },
  });
  new Counter({
    name: "password_hash_turns_total",
    help: "Password hashes asked for: done, refused because the queue was full, dropped because the client had gone",
    labelNames: ["outcome"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(passwordGate.counts().outcomes)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: "password_guesses_slowed_total",
    help: "Sign-ins made to wait because of failures at the same account, from whatever address",
    registers: [registry],
    collect() {
      this.reset();
      this.inc(slowedGuesses());
    },
  });
}

function mayRead(request: FastifyRequest, token: string | undefined): boolean {
  if (token !== undefined) return sameBytes(sha256(request.headers.authorization ?? ""), sha256(`Bearer ${token}`));
  const forwarded = request.headers["x-forwarded-for"] ?? request.headers["forwarded"] ?? request.headers["via"];
  return forwarded === undefined && isLoopbackAddress(request.socket.remoteAddress?.replace(/^::ffff:/, "") ?? "");
}
