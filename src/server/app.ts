import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply } from "fastify";
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { ProblemCode } from "../contract/problems.ts";
import { Refusal } from "../contract/problems.ts";
import { routes } from "../contract/index.ts";
import { networkOf } from "./auth/network.ts";
import type { Deps } from "./call.ts";
import type { Connections } from "./connections.ts";
import { silenceMs, trackConnections } from "./connections.ts";
import { sqlState } from "./db/scope.ts";
import { mountDocs } from "./docs.ts";
import { handlers } from "./handlers-index.ts";
import { mountMetrics } from "./metrics.ts";
import { mountRoutes } from "./mount.ts";
import { mountConsole } from "./console-files.ts";
import { createReadiness } from "./readiness.ts";
import type { Readiness } from "./readiness.ts";
import { clientAddress } from "./realtime/address.ts";
import { createRequestRates } from "./request-rates.ts";
import { languageOf, problemOf } from "./texts.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Not counted against its address: who may ask is signed for. */
    unlimited?: true;
    /** Counted by itself: a machine that is busy must not be taken for a dead one. */
    probe?: true;
  }
  interface FastifyInstance {
    connections: Connections;
    readiness: Readiness;
  }
}

/** 256 KiB: no route takes more as JSON. */
const bodyLimit = 256 * 1024;

/** A tenant's people together may ask as often as so many of them. */
const busyUsers = 10;

/** Of one address: ten a second for each of two probes, whatever else comes from there. */
const probesPerMinute = 1_200;

/** ms until a read is answered, at the latest with "busy"; a write is answered when it is known what became of it. */
const readWithin = 10_000;

/** Builds the app from its dependencies; it does not listen, so that tests inject into it. */
export async function buildApp(deps: Deps, options: { logger: FastifyBaseLogger; consoleFolder: string | null }): Promise<FastifyInstance> {
  const { config } = deps;
  const app = Fastify({
    loggerInstance: options.logger,
    bodyLimit,
    requestTimeout: 15_000,
    connectionTimeout: silenceMs,
    // else half a header is looked at every 30 seconds only
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    keepAliveTimeout: 72_000,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // what still comes while the server ends is answered like anything else, on a connection that closes with it
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { caseSensitive: true, maxParamLength: 100 },
    // a browser at a path nobody can read gets the console, which says so, with every header of a page
    rewriteUrl: (request) =>
      options.consoleFolder && isForConsole(request) && !isReadable(request.url ?? "") ? "/not-found" : (request.url ?? "/"),
    // any other path the router cannot read; it comes before hooks and the error handler
    frameworkErrors: (_, request, reply: FastifyReply) => {
      const refusal = new Refusal("not-found");
      void reply
        .code(refusal.status)
        .header("x-request-id", request.id)
        .header("cache-control", "no-store")
        .send(problemOf(refusal, languageOf(request.headers["accept-language"])));
    },
  });

  const connections = trackConnections(app.server as Server); // we listen on HTTP/1 only
  app.decorate("connections", connections);
  app.decorate("readiness", createReadiness(deps.database));
  app.addHook("onRoute", (route) => {
    if (route.method === "GET") route.handlerTimeout ??= readWithin;
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const raw = body as Buffer; // parseAs says so
    request.rawBody = raw;
    if (raw.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(raw.toString("utf8")));
    } catch {
      done(new Refusal("request.malformed"));
    }
  });

  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:", "blob:"],
        mediaSrc: ["'self'", "data:"],
        connectSrc: ["'self'", ...realtimeOrigins(deps)],
        fontSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        workerSrc: ["'self'", "blob:"],
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: { maxAge: 31_536_000 },
    referrerPolicy: { policy: "no-referrer" },
  });
  await app.register(cookie);
  await app.register(compress, { global: true, threshold: 1024 });
  const addressOf = clientAddress(config.trustProxy);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    // Fastify takes whatever a believed proxy names, an address or not
    if (config.trustProxy.length > 0) Object.defineProperty(request, "ip", { value: addressOf(request.raw) });
  });
  app.addHook("onSend", async (request, reply) => {
    connections.sends(request.raw.socket);
    if (connections.isDraining) reply.header("connection", "close");
  });
  const rates = createRequestRates(deps.database, deps.log);
  app.addHook("onClose", async () => rates.stop());
  const within = (reply: FastifyReply, limits: Readonly<Record<string, number>>): void => {
    if (rates.count(limits)) return;
    reply.header("retry-after", String(rates.secondsLeft()));
    throw new Refusal("request.too-many");
  };
  const most = config.requestsPerMinute;
  // a hook of the app, not of each route: those run after the route's own, which refuses whoever is not signed in
  app.addHook("onRequest", async (request, reply) => {
    const { unlimited, probe } = request.routeOptions.config;
    if (probe) within(reply, { [`probe:${networkOf(request.ip)}`]: probesPerMinute });
    else if (!unlimited) within(reply, { [`address:${networkOf(request.ip)}`]: most });
  });
  // who asks is known, and nothing of the body is read
  app.addHook("preParsing", async ({ identity }, reply) => {
    if (!identity) return;
    if ("session" in identity) within(reply, { [`user:${identity.user}`]: most });
    else within(reply, { [`user:${identity.caller.id}`]: most, [`tenant:${identity.tenant}`]: most * busyUsers });
  });

  app.addHook("onResponse", async (request, reply) => {
    if (request.url.startsWith("/service/")) {
      request.log.debug(
        { method: request.method, path: request.routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        "answered",
      );
    }
  });

  app.setErrorHandler((error: FastifyError | Refusal, request, reply) => {
    const refusal = error instanceof Refusal ? error : refusalOf(error);
    // one that has gone while it was answered is no failure of ours
    const isGone = error.code === "ERR_STREAM_PREMATURE_CLOSE" && request.raw.socket.destroyed;
    if (refusal.status >= 500 && !isGone)
      request.log.error({ err: error, requestId: request.id, path: request.routeOptions.url }, "failed");
    if (refusal.status === 503) reply.header("retry-after", "2");
    return reply
      .code(refusal.status)
      .header("cache-control", "no-store")
      .send(problemOf(refusal, languageOf(request.headers["accept-language"])));
  });

  app.get("/healthz", { config: { probe: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { config: { probe: true } }, async (_, reply) => {
    const status = await app.readiness.ask();
    if (status !== "ready") reply.code(503).header("retry-after", "2");
    return { status };
  });

  mountMetrics(app, deps);
  mountRoutes(app, deps, routes, handlers);
  mountDocs(app);
  await mountConsole(app, options.consoleFolder);
  app.setNotFoundHandler((request, reply) => {
    if (options.consoleFolder && isForConsole(request)) return reply.header("cache-control", "no-cache").sendFile("index.html");
    throw new Refusal("not-found");
  });
  return app;
}

/** Whether the console's router is to answer: for a page, not for a call or a part of the console that is no more. */
const isForConsole = ({ method, url = "" }: { method?: string | undefined; url?: string | undefined }): boolean =>
  method === "GET" && !/^\/+(service|apps?|assets)\//.test(url);

function isReadable(url: string): boolean {
  try {
    decodeURI(url.split("?", 1)[0] ?? "");
    // "//host" is read as another origin's
    return !url.startsWith("//");
  } catch {
    return false;
  }
}

function realtimeOrigins(deps: Deps): string[] {
  const { realtime } = deps;
  if (realtime.embedded) return [];
  const scheme = realtime.tls ? "wss" : "ws";
  if (realtime.cluster) return [`${scheme}://ws-${realtime.cluster}.pusher.com`];
  return [`${scheme}://${realtime.host}:${realtime.port}`];
}

/** What the framework or the database threw, as a refusal; anything unknown is a bug and says nothing of itself. */
function refusalOf(error: FastifyError): Refusal {
  const known: Record<string, ProblemCode> = {
    FST_ERR_CTP_BODY_TOO_LARGE: "request.too-large",
    FST_ERR_CTP_INVALID_MEDIA_TYPE: "request.unsupported-media",
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: "request.malformed",
    FST_ERR_CTP_EMPTY_JSON_BODY: "request.malformed",
    FST_ERR_HANDLER_TIMEOUT: "request.busy",
  };
  const code = known[error.code];
  if (code) return new Refusal(code);
  if (error.statusCode === 429) return new Refusal("request.too-many");
  if (error.statusCode === 413) return new Refusal("request.too-large");
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) return new Refusal("request.malformed");
  const state = sqlState(error);
  // a lock not had in time, deadlocks beyond the retries, a statement over its time: try again
  if (state && ["55P03", "40001", "40P01", "57014"].includes(state)) return new Refusal("request.busy");
  // a number, or a time, beyond what its column holds
  if (state && ["22003", "22007", "22008"].includes(state)) return new Refusal("request.invalid");
  // the database is away, or going
  if (
    (state && /^(08|53|57P|25006|ECONN|ENOENT|EPIPE|ETIMEDOUT)/.test(state)) ||
    /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(error.message)
  ) {
    return new Refusal("server.unavailable");
  }
  return new Refusal("server.failed");
}
