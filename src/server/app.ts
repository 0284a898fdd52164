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
import { isUnreachable, sqlState } from "./db/errors.ts";
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
    /** Not counted against its address, because the caller signs the request. */
    unlimited?: true;
    /** Has its own limit, because a busy server must not be taken for a dead one. */
    probe?: true;
  }
  interface FastifyInstance {
    connections: Connections;
    readiness: Readiness;
    /** Counts a signed request and tells its signer how many are left; throws request.too-many above its limit. */
    countSigner(reply: FastifyReply, of: SignedRequest): void;
  }
}

interface SignedRequest {
  readonly tenant: string;
  /** The id of the merchant, or of a forwarder's payment account. */
  readonly signer: string;
  /** With a limit of its own where it has one. */
  readonly route: { readonly name: string; readonly perMinute: number | undefined };
}

/** 256 KiB, more than any JSON body needs. */
const bodyLimit = 256 * 1024;

/** A tenant's request limit, as a multiple of one user's. */
const busyUsers = 10;

/** Probes per minute from one address: ten a second for each of two, whatever else it sends. */
const probesPerMinute = 1_200;

/** Ms after which a read is answered as busy; a write is answered when its outcome is known. */
const readWithin = 10_000;

/** Ms for a whole request with its file. */
const longestUpload = 600_000;

/** Builds the app from its dependencies. It does not listen, so that tests can inject requests. */
export async function buildApp(
  deps: Deps,
  options: { logger: FastifyBaseLogger; consoleFolder: string | null; readWithin?: number },
): Promise<FastifyInstance> {
  const { config } = deps;
  const app = Fastify({
    loggerInstance: options.logger,
    bodyLimit,
    // of the largest file over a slow line; what else comes is cut earlier (connections.ts)
    requestTimeout: longestUpload,
    connectionTimeout: silenceMs,
    // otherwise incomplete headers are checked every 30 seconds only
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
    keepAliveTimeout: 72_000,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // requests during shutdown are answered as usual, on a connection that closes afterwards
    return503OnClosing: false,
    genReqId: () => randomUUID(),
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { caseSensitive: true, maxParamLength: 100 },
    // a browser with a malformed path gets the console's not-found page, with all headers of a page
    rewriteUrl: (request) =>
      options.consoleFolder && isForConsole(request) && !isReadable(request.url ?? "") ? "/not-found" : (request.url ?? "/"),
    // other malformed paths, which never reach hooks and the error handler
    frameworkErrors: (_, request, reply: FastifyReply) => {
      const refusal = new Refusal("not-found");
      void reply
        .code(refusal.status)
        .header("x-request-id", request.id)
        .header("cache-control", "no-store")
        .send(problemOf(refusal, languageOf(request.headers["accept-language"])));
    },
  });

  const connections = trackConnections(app.server as Server); // only HTTP/1 is served
  app.decorate("connections", connections);
  app.decorate("readiness", createReadiness(deps.database));
  app.addHook("onRoute", (route) => {
    // a file's answer has begun when its handler ends, and takes as long as its reader does
    if (route.method === "GET" && !route.url.endsWith("*")) route.handlerTimeout ??= options.readWithin ?? readWithin;
  });

  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const raw = body as Buffer; // by parseAs
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
    // Fastify takes any text of a trusted proxy, even if it is no address
    if (config.trustProxy.length > 0) Object.defineProperty(request, "ip", { value: addressOf(request.raw) });
  });
  app.addHook("onSend", async (request, reply) => {
    connections.sends(request.raw.socket);
    if (connections.isDraining) reply.header("connection", "close");
  });
  const rates = createRequestRates(deps.database, deps.log);
  app.addHook("onClose", async () => rates.stop());
  const requireWithin = (reply: FastifyReply, limits: Readonly<Record<string, number>>): void => {
    if (rates.count(limits)) return;
    reply.header("retry-after", String(rates.secondsLeft()));
    throw new Refusal("request.too-many");
  };
  const most = config.requestsPerMinute;
  // a hook of the app, because those of a route run after its own onRequest, which refuses callers who are not signed in
  app.addHook("onRequest", async (request, reply) => {
    const { unlimited, probe } = request.routeOptions.config;
    if (probe) requireWithin(reply, { [`probe:${networkOf(request.ip)}`]: probesPerMinute });
    else if (!unlimited) requireWithin(reply, { [`address:${networkOf(request.ip)}`]: most });
  });
  // the caller is known here, and the body not yet read
  app.addHook("preParsing", async ({ identity }, reply) => {
    if (!identity) return;
    if ("session" in identity) requireWithin(reply, { [`user:${identity.user}`]: most });
    else requireWithin(reply, { [`user:${identity.caller.id}`]: most, [`tenant:${identity.tenant}`]: most * busyUsers });
  });

  // a signer is known only by its signature, when the body has been read
  app.decorate("countSigner", (reply: FastifyReply, { tenant, signer, route }: SignedRequest) => {
    const own = route.perMinute ?? most;
    const limits = {
      [route.perMinute === undefined ? `signer:${signer}` : `signer:${signer}:${route.name}`]: own,
      [`tenant:${tenant}`]: most * busyUsers,
    };
    try {
      requireWithin(reply, limits);
    } finally {
      reply.headers({
        "ratelimit-limit": String(own),
        "ratelimit-remaining": String(Math.min(...Object.entries(limits).map(([key, of]) => rates.left(key, of)))),
        "ratelimit-reset": String(rates.secondsLeft()),
      });
    }
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
    // a client that disconnected before its answer is no failure of ours
    const isGone = error.code === "ERR_STREAM_PREMATURE_CLOSE" && request.raw.socket.destroyed;
    // what is down on purpose is no failure either
    const isPlanned = refusal.code === "provider.maintenance";
    if (refusal.status >= 500 && !isGone && !isPlanned)
      request.log.error({ err: error, requestId: request.id, path: request.routeOptions.url }, "failed");
    if (refusal.status === 503) reply.header("retry-after", String(secondsUntil(refusal.detail?.["until"]) ?? 2));
    return reply
      .code(refusal.status)
      .header("cache-control", "no-store")
      .send(problemOf(refusal, languageOf(request.headers["accept-language"])));
  });

  app.get("/healthz", { config: { probe: true } }, async () => ({ status: "ok" }));
  app.get("/readyz", { config: { probe: true } }, async (_, reply) => {
    const status = await app.readiness.probe();
    if (status !== "ready") reply.code(503).header("retry-after", "2");
    const { replica } = deps.database;
    // for people alone: without the replica all is answered by the primary
    return { status, ...(replica && { replica: replica.state }) };
  });

  mountMetrics(app, deps);
  mountRoutes(app, deps, routes, handlers);
  mountDocs(app, deps);
  const sendPage = options.consoleFolder && (await mountConsole(app, options.consoleFolder));
  app.setNotFoundHandler((request, reply) => {
    if (sendPage && isForConsole(request)) return sendPage(request, reply);
    throw new Refusal("not-found");
  });
  return app;
}

/** Whether the console answers the path: a page, not an API call or an asset that no longer exists. */
const isForConsole = ({ method, url = "" }: { method?: string | undefined; url?: string | undefined }): boolean =>
  method === "GET" && !/^\/+(service|apps?|assets)\//.test(url);

function isReadable(url: string): boolean {
  try {
    decodeURI(url.split("?", 1)[0] ?? "");
    // a URL parser reads "//host" as another origin
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

/** The refusal for an error of the framework or the database; an unknown error is a bug, answered without detail. */
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
  // a lock time-out, deadlocks after all retries, or a statement time-out: worth trying again
  if (state && ["55P03", "40001", "40P01", "57014"].includes(state)) return new Refusal("request.busy");
  // a number or a time out of its column's range
  if (state && ["22003", "22007", "22008"].includes(state)) return new Refusal("request.invalid");
  // the database is down, shutting down, or takes no writes
  if (state === "25006" || isUnreachable(error)) return new Refusal("server.unavailable");
  return new Refusal("server.failed");
}

/** Whole seconds until an instant, at least one; null: it is none. */
const secondsUntil = (instant: unknown): number | null =>
  typeof instant === "string" ? Math.max(1, Math.ceil((Date.parse(instant) - Date.now()) / 1_000)) : null;
