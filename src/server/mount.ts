import multipart from "@fastify/multipart";
import { createHash, createHmac } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { FileAnswer, LargeFileAnswer } from "../contract/downloads.ts";
import { tooFine } from "../contract/amounts.ts";
import type { FieldLines } from "../contract/problems.ts";
import { Refusal } from "../contract/problems.ts";
import type { Route, Routes } from "../contract/route.ts";
import { isSigned, readsReplica } from "../contract/route.ts";
import { proofMinutes } from "../contract/session.ts";
import { identify, identifyUser } from "./auth/authority.ts";
import { clearBinding, readBinding, setBinding } from "./auth/binding.ts";
import { requireRights } from "./auth/route-rights.ts";
import type { SecretBox } from "./secrets/secrets.ts";
import type { Caller, CurrencyFacts, Deps, ForwarderCall, MerchantCall, PublicCall, StaffCall } from "./call.ts";
import { authenticateForwarder, authenticateMerchant, oldFormHeaders } from "./merchant-api/authenticate.ts";
import { bodyMs, signedFileMs } from "./connections.ts";
import { forReading } from "./db/scope.ts";
import { languageOf } from "./texts.ts";
import { sendFile } from "./downloads.ts";
import { readUpload } from "./uploads.ts";

/** A handler of any route; the type of its call follows from the route's permission. */
// handlers.ts checks each handler against its route; here they are one table
export type MountedHandler = (call: never, received: never) => Promise<{ data: unknown; meta?: unknown }>;

declare module "fastify" {
  interface FastifyRequest {
    /** The exact bytes of the body, for signatures. */
    rawBody: Buffer | null;
    identity: { caller: Caller; tenant: string; currency: string; currencyFacts: CurrencyFacts } | { user: string; session: string } | null;
  }
}

const noCurrency: CurrencyFacts = { minorDigits: 2, zoneMinutes: 480 };
const idempotencyKey = /^[\x21-\x7e]{8,128}$/;
/** Content types a merchant may send a file as; what it is, its bytes say. */
const bareFiles = /^(application\/(octet-stream|pdf)|image\/[\w.+-]+)$/;
/** Ms after which an act on many rows begins no further row. */
const beginWithin = 10_000;

/**
 * Mounts every route of the contract: caller, permission, parse, handle, answer. The permission is checked before the body is read, so that
 * a caller without it learns nothing. Throws at start when a route has no handler or no permission.
 */
export function mountRoutes(app: FastifyInstance, deps: Deps, routes: Routes, handlers: Readonly<Record<string, MountedHandler>>): void {
  app.decorateRequest("rawBody", null);
  app.decorateRequest("identity", null);
  const all = Object.entries(routes).map(([name, route]) => ({ name, route, handler: handlers[name] }));
  for (const one of all) if (!one.route.file) mountRoute(app, deps, one);
  const uploads = all.filter(({ route }) => route.file);
  if (uploads.length === 0) return;
  // only these routes parse multipart, and they parse nothing else
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    await scope.register(multipart, { limits: { files: 1, fields: 0, parts: 1 } });
    for (const one of uploads) if (!isSigned(one.route)) mountRoute(scope, deps, one);
  });
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>(bareFiles, { parseAs: "buffer" }, (request, body, done) => {
      request.rawBody = body;
      done(null, undefined);
    });
    for (const one of uploads) if (isSigned(one.route)) mountRoute(scope, deps, one);
  });
}

/** Ms within which a body must have come. null: however long it takes, because whoever sends the file is known already. */
const arrivalOf = (route: Route): number | null => (route.file === undefined ? bodyMs : isSigned(route) ? signedFileMs : null);

/** Ms, the most that a timer takes. */
const longestTimer = 2 ** 31 - 1;

function mountRoute(
  app: FastifyInstance,
  deps: Deps,
  { name, route, handler }: { name: string; route: Route; handler: MountedHandler | undefined },
): void {
  if (!handler) throw new Error(`route ${name} has no handler`);
  if (!route.permission) throw new Error(`route ${name} declares no permission`);
  // who calls is read from the primary, whatever the route
  const ownDeps = readsReplica(route) ? { ...deps, database: forReading(deps.database) } : deps;
  app.route({
    method: route.method,
    url: route.path.replace(/\{(\w+)\}/g, ":$1"),
    exposeHeadRoute: false,
    ...(route.file && isSigned(route) && { bodyLimit: route.file.most }),
    // Fastify would cut what is still being read; a reader that stands still is cut (connections.ts)
    ...(route.download && { handlerTimeout: longestTimer }),
    onRequest: async (request) => {
      if (route.permission !== "public" && !isSigned(route)) request.identity = await authorize(deps, route, request);
    },
    preParsing: async (request) => app.connections.arrives(request.raw, arrivalOf(route)),
    handler: async (request, reply) => {
      if (isSigned(route)) request.identity = await authorizeSigned(deps, route, name, request, reply);
      const named = {
        params: parse(route.params, request.params, "params"),
        query: parse(route.query, route.query ? request.query : undefined, "query"),
      };
      const file = route.file && (await readUpload(request, route.file.most));
      // for the fingerprint of the request
      if (file) request.body = { file: file.sha256, name: file.name };
      const received = { ...named, body: parse(route.body, request.body, "body"), file };
      const identity = request.identity;
      // without a currency the handler checks amounts
      if (identity && "currency" in identity && identity.currency !== "") requireWholeUnits(route, received, identity.currencyFacts);
      const call = callFor(ownDeps, route, request, reply);
      const answer = await handler(call as never, received as never); // see MountedHandler
      if (route.download) {
        const sent = route.answer.parse(answer.data) as z.output<typeof FileAnswer | typeof LargeFileAnswer>; // by `download`
        return sendFile(reply, sent, route.lasting);
      }
      reply.header("cache-control", "no-store");
      return {
        data: route.answer.parse(answer.data),
        ...(route.meta && { meta: route.meta.parse(answer.meta) }),
      };
    },
  });
}

async function authorize(deps: Deps, route: Route, request: FastifyRequest): Promise<FastifyRequest["identity"]> {
  const authorization = request.headers.authorization;
  const binding = readBinding(request);
  if (route.tenant === "none") return identifyUser(deps, authorization, binding);
  const { caller, tenant, currencies, unready, provedSeconds } = await identify(deps, {
    authorization,
    binding,
    tenant: header(request, "x-tenant-id"),
    tenantOptional: route.tenant === "optional",
  });
  if (unready !== null && !route.unready) throw new Refusal(unready);
  requireRights(route, caller);
  const code = header(request, "x-currency") ?? "";
  const currencyFacts = Object.hasOwn(currencies, code) ? currencies[code] : undefined;
  if (route.currency && !currencyFacts) throw new Refusal("currency.invalid");
  if (route.stepUp && provedSeconds > proofMinutes * 60) throw new Refusal("step-up.required");
  return { caller, tenant, currency: currencyFacts ? code : "", currencyFacts: currencyFacts ?? noCurrency };
}

async function authorizeSigned(
  deps: Deps,
  { permission, perMinute }: Route,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyRequest["identity"]> {
  const kind = permission === "forwarder" ? permission : "merchant";
  const authenticate = kind === "forwarder" ? authenticateForwarder : authenticateMerchant;
  const { tenant, signer, currencyFacts, isOldForm } = await authenticate(deps, {
    method: request.method,
    path: request.url,
    body: request.rawBody ?? Buffer.alloc(0),
    headers: request.headers,
    ip: request.ip,
  });
  if (isOldForm) reply.headers(oldFormHeaders);
  request.server.countSigner(reply, { tenant, signer: signer.id, route: { name, perMinute } });
  return { caller: { kind, ...signer }, tenant, currency: signer.currency, currencyFacts };
}

function callFor(
  deps: Deps,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): PublicCall | StaffCall | MerchantCall | ForwarderCall | UserCall {
  const { identity } = request;
  if (!identity) {
    return {
      deps,
      ip: request.ip,
      agent: agentOf(request),
      requestId: request.id,
      language: languageOf(request.headers["accept-language"]),
      binding: readBinding(request),
      fromBrowser: request.headers.origin !== undefined || request.headers["sec-fetch-site"] !== undefined,
      gone: disconnectSignal(reply),
      bind: (value) => (value === null ? clearBinding(request, reply) : setBinding(request, reply, value)),
    };
  }
  if ("session" in identity) {
    const { user, session } = identity;
    return {
      deps,
      user,
      session,
      ip: request.ip,
      agent: agentOf(request),
      requestId: request.id,
      forget: () => clearBinding(request, reply),
    };
  }
  const key = header(request, "idempotency-key") ?? null;
  if (route.money && key === null) throw new Refusal("request.idempotency-key-missing");
  if (key !== null && !idempotencyKey.test(key)) throw new Refusal("request.idempotency-key-invalid");
  const due = performance.now() + beginWithin;
  const common = {
    deps,
    isDue: () => performance.now() > due || request.raw.socket.destroyed || request.server.connections.isDraining,
    tenant: identity.tenant,
    currency: identity.currency,
    currencyFacts: identity.currencyFacts,
    ip: request.ip,
    agent: agentOf(request),
    requestId: request.id,
    language: languageOf(request.headers["accept-language"]),
    idempotencyKey: key,
    fingerprint: key === null ? noFingerprint : fingerprintOf(request, deps.secrets),
    gone: disconnectSignal(reply),
  };
  const { caller } = identity;
  if (caller.kind === "user") return { ...common, caller };
  return caller.kind === "merchant" ? { ...common, caller } : { ...common, caller };
}

/** A signal of the answer, because Fastify's own aborts as soon as the request's body is read. */
function disconnectSignal({ raw }: FastifyReply): AbortSignal {
  const going = new AbortController();
  const close = () => {
    if (!raw.writableFinished) going.abort();
  };
  if (raw.destroyed) close();
  else raw.once("close", close);
  return going.signal;
}

/** The call of a route that concerns the user only. */
export interface UserCall {
  readonly deps: Deps;
  readonly user: string;
  readonly session: string;
  readonly ip: string;
  readonly agent: string;
  readonly requestId: string;
  /** Clears the binding cookie. */
  forget(): void;
}

const agentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** The header's value, or undefined. One sent twice is joined, and then refused by the pattern it must match. */
function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

function parse(schema: z.ZodType | undefined, value: unknown, part: string): unknown {
  if (!schema) return undefined;
  const read = schema.safeParse(value);
  // without a prototype, because a field may be called __proto__ or constructor
  const lines = Object.create(null) as FieldLines;
  if (read.success) {
    // checked as sent, because parsing may have dropped misnamed fields
    for (const field of misnamed(value)) lines[field || part] = ["This field name is not allowed"];
    for (const field of unwritable(read.data)) lines[field || part] = ["Contains characters that are not allowed"];
    if (Object.keys(lines).length > 0) throw new Refusal("request.invalid", lines);
    return read.data;
  }
  for (const issue of read.error.issues) {
    const keys = issue.code === "unrecognized_keys" ? issue.keys : [""];
    for (const key of keys) {
      const field = [...issue.path, key].filter((step) => step !== "").join(".") || part;
      (lines[field] ??= []).push(issue.code === "unrecognized_keys" ? "Unknown field" : issue.message);
    }
  }
  throw new Refusal("request.invalid", lines);
}

/** Refuses amounts with more decimals than the currency of the request has, at their fields. */
function requireWholeUnits(route: Route, { query, body }: { query: unknown; body: unknown }, { minorDigits }: CurrencyFacts): void {
  const lines = { ...tooFine(route.query, query, minorDigits), ...tooFine(route.body, body, minorDigits) };
  if (Object.keys(lines).length > 0) throw new Refusal("amount.too-precise", lines);
}

/** Paths of texts no column can store: with a nul, or half of a surrogate pair. */
function unwritable(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed() ? [path] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) => unwritable(inner, path === "" ? key : `${path}.${key}`));
}

/** Paths of entries whose names get lost: with a nul or half a surrogate pair, or `__proto__`. */
function misnamed(value: unknown, path = ""): string[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "__proto__" || key.includes("\0") || !key.isWellFormed() ? [path] : misnamed(inner, path === "" ? key : `${path}.${key}`),
  );
}

/** Of a call without an idempotency key. */
const noFingerprint = Buffer.alloc(0);

const fingerprintOf = ({ method, url, body }: FastifyRequest, secrets: SecretBox): Buffer =>
  createHash("sha256").update(`${method} ${url}\n`).update(canonical(body, secrets)).digest();

/** Fields whose texts could be found out by trying, were their hash in the database. */
const isHidden = /password|secret|credential/;

/** JSON with sorted keys, so that equal bodies have equal bytes; what is secret stands in it by a keyed hash. */
function canonical(value: unknown, secrets: SecretBox): string {
  return (
    JSON.stringify(value, (name, inner: unknown) => {
      if (typeof inner === "string" && isHidden.test(name))
        return createHmac("sha256", secrets.derive("fingerprint")).update(inner).digest("base64");
      return inner !== null && typeof inner === "object" && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner;
    }) ?? ""
  );
}
