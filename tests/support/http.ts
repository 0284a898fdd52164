import type { FastifyInstance } from "fastify";
import { randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { routes } from "../../src/contract/index.ts";
import type { RouteName } from "../../src/contract/index.ts";
import { problems } from "../../src/contract/problems.ts";
import type { Route } from "../../src/contract/route.ts";
import { filePart } from "../../src/contract/uploads.ts";
import { buildApp } from "../../src/server/app.ts";
import { hashPassword } from "../../src/server/auth/passwords.ts";
import { startSession } from "../../src/server/auth/sessions.ts";
import type { Deps } from "../../src/server/call.ts";
import { readConfig } from "../../src/server/config.ts";
import { signRequest } from "../../src/server/merchant-api/sign.ts";
import type { TestDatabase } from "./database.ts";
import { announcements, makeDeps } from "./factories.ts";
import type { Announcements } from "./factories.ts";
import { noteRequest, notedLog } from "./instead.ts";
import { timed } from "./times.ts";

/** A server on a test database. */
export interface Served {
  readonly app: FastifyInstance;
  readonly deps: Deps;
  readonly published: Announcements["published"];
  /** Set when it listens: calls then go over a socket. */
  readonly url: string | null;
}

/** `listen`: on a free port of the loopback; without it calls are injected. */
export async function serve(
  db: TestDatabase,
  options: { listen?: true; requestsPerMinute?: number; readWithin?: number; environment?: Readonly<Record<string, string>> } = {},
): Promise<Served> {
  const publisher = announcements();
  const requestsPerMinute = String(options.requestsPerMinute ?? 100_000_000);
  const config = readConfig({ DEVELOPMENT: "true", REQUESTS_PER_MINUTE: requestsPerMinute, ...options.environment });
  const logger = notedLog();
  const deps: Deps = { ...makeDeps(db, publisher), config, log: logger };
  return timed("server", async () => {
    const { readWithin } = options;
    const app = await buildApp(deps, { logger, consoleFolder: null, ...(readWithin !== undefined && { readWithin }) });
    const url = options.listen ? await app.listen({ host: "127.0.0.1", port: 0 }) : null;
    return { app, deps, published: publisher.published, url };
  });
}

/** The options of a call. */
export interface Ready {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** The file of an upload, instead of a body. */
  readonly file?: { readonly name: string; readonly bytes: Uint8Array };
}

export interface Asked extends Ready {
  readonly token?: string | undefined;
  /** The binding cookie's value. */
  readonly cookie?: string | undefined;
  readonly tenant?: string | undefined;
  readonly currency?: string | undefined;
  readonly signedBy?: { readonly apiKey: string; readonly secret: string } | undefined;
  /** Added last; null takes one away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The exact bytes, instead of `body`. */
  readonly payload?: string | Buffer;
  /** Appended to the path unchanged, instead of `query`. */
  readonly rawQuery?: string;
  readonly ip?: string;
  /** Cuts a call over a socket off. */
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly code: string | undefined;
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly cookies: readonly string[];
  /** Seconds until the server wants to be asked again, where it says so. */
  readonly retryAfter: string | undefined;
}

/** The route as the table types it, whatever its own shape. */
export const routeOf = (name: RouteName): Route => routes[name];
export const routeNames = Object.keys(routes) as RouteName[]; // Object.keys widens the table's own names

export function pathOf(route: Route, { params = {}, query, rawQuery }: Asked): string {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = rawQuery ?? (query ? new URLSearchParams(query).toString() : "");
  return search === "" ? path : `${path}?${search}`;
}

let signed = 0;
/** Each signed request gets a second of its own, because equal requests within a second have equal signatures and count as a replay. */
const nextSecond = () => new Date(Date.now() - (signed++ % 250) * 1000);

/** Calls a route by its contract. A write brings an idempotency key of its own. */
export async function ask(served: Served, name: RouteName, asked: Asked): Promise<Answered> {
  const answered = await call(served, name, asked);
  const { status, code = "", requestId } = answered;
  noteRequest(`${routeOf(name).method} ${pathOf(routeOf(name), asked)} → ${status} ${code}`, requestId);
  return answered;
}

async function call(served: Served, name: RouteName, asked: Asked): Promise<Answered> {
  const route = routeOf(name);
  const path = pathOf(route, asked);
  const form = asked.payload === undefined && asked.file ? fileOf(route, asked.file) : null;
  const payload = asked.payload ?? form?.payload ?? (asked.body === undefined ? undefined : JSON.stringify(asked.body));
  const { "idempotency-key": given = route.method === "GET" ? null : randomUUID() } = asked.headers ?? {};
  const idempotencyKey = given ?? "";
  const all: Record<string, string | null | undefined> = {
    ...(payload !== undefined && { "content-type": form?.type ?? "application/json" }),
    "idempotency-key": given,
    ...(asked.signedBy && signRequest(asked.signedBy, { method: route.method, path, idempotencyKey, body: payload ?? "" }, nextSecond())),
    authorization: asked.token && `Bearer ${asked.token}`,
    cookie: asked.cookie && `binding=${asked.cookie}`,
    "x-tenant-id": asked.tenant,
    "x-currency": asked.currency,
    ...asked.headers,
  };
  const headers: Record<string, string> = {};
  for (const [header, value] of Object.entries(all)) if (value !== null && value !== undefined) headers[header] = value;
  if (served.url !== null && asked.ip === undefined) {
    const body = payload === undefined ? {} : { body: typeof payload === "string" ? payload : new Uint8Array(payload) };
    const answer = await fetch(`${served.url}${path}`, {
      method: route.method,
      headers,
      ...body,
      ...(asked.signal && { signal: asked.signal }),
    });
    const id = answer.headers.get("x-request-id") ?? undefined;
    return read(answer.status, await answer.text(), {
      requestId: id,
      cookies: answer.headers.getSetCookie(),
      retryAfter: answer.headers.get("retry-after") ?? undefined,
    });
  }
  const answer = await served.app.inject({
    method: route.method,
    url: path,
    headers,
    ...(payload !== undefined && { payload }),
    ...(asked.ip && { remoteAddress: asked.ip }),
  });
  const id = answer.headers["x-request-id"];
  const set = answer.headers["set-cookie"];
  return read(answer.statusCode, unpacked(answer.rawPayload, answer.headers["content-encoding"]), {
    requestId: typeof id === "string" ? id : undefined,
    cookies: set === undefined ? [] : Array.isArray(set) ? set : [String(set)],
    retryAfter: answer.headers["retry-after"]?.toString(),
  });
}

/** A file as the route takes it: from a merchant bare, from staff as a browser sends it. */
const fileOf = ({ permission }: Route, file: NonNullable<Ready["file"]>): { type: string; payload: Buffer } =>
  permission === "merchant" ? { type: "application/octet-stream", payload: Buffer.from(file.bytes) } : multipartOf(file);

/** One file as a browser sends it. */
export function multipartOf({ name, bytes }: NonNullable<Ready["file"]>): { type: string; payload: Buffer } {
  const boundary = `----${randomUUID()}`;
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="${filePart}"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`;
  const payload = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, payload };
}

/** An injected answer is not decoded: with accept-encoding gzip it stays compressed. */
function unpacked(payload: Buffer, encoding: unknown): string {
  const unpack = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync, zstd: zstdDecompressSync }[String(encoding)];
  return (unpack ? unpack(payload) : payload).toString("utf8");
}

function read(status: number, text: string, headers: Pick<Answered, "requestId" | "cookies" | "retryAfter">): Answered {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const { code, data } = (json ?? {}) as { code?: unknown; data?: unknown }; // looked at below only after a check
  return { status, text, code: typeof code === "string" ? code : undefined, data, ...headers };
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Texts of our code, the database or a stack trace, which no answer may contain. */
const inside =
  /node_modules|\/src\/|\.ts:\d|\n {4}at |syntax error|duplicate key|violates|relation \\?"|column \\?"|invalid input syntax|out of range|pg_catalog|SQLSTATE|password_hash|\$argon2/i;

/** What is wrong with an answer, whatever was asked: a 5xx, a refusal that is not of the catalogue, a leak. */
export function faultsOf(answer: Answered, canary?: string): string[] {
  const faults: string[] = [];
  if (answer.status >= 500) faults.push("a server's fault");
  if (!uuid.test(answer.requestId ?? "")) faults.push("no request id");
  const leak = inside.exec(answer.text)?.[0];
  if (leak !== undefined) faults.push(`reveals internals: ${leak}`);
  if (canary !== undefined && answer.text.includes(canary)) faults.push("holds another tenant's data");
  if (answer.status >= 400) {
    const known: Readonly<Record<string, number>> = problems;
    const { code = "" } = answer;
    if (!Object.hasOwn(known, code) || known[code] !== answer.status) faults.push(`${answer.status} is not the status of code "${code}"`);
    const refusal = JSON.parse(answer.text || "null") as Record<string, unknown> | null; // an envelope, or a fault found just above
    if (typeof refusal?.["message"] !== "string" || refusal["message"] === "" || refusal["message"] === code) faults.push("no message");
    if (Object.keys(refusal ?? {}).some((field) => !["message", "code", "data"].includes(field))) faults.push("unknown envelope fields");
  } else if (answer.status !== 200) faults.push(`an unknown status ${answer.status}`);
  return faults;
}

/** The code of a refusal that is well formed; of anything else what is wrong with it. */
export function refusalOf(answer: Answered): string {
  const faults = faultsOf(answer);
  return answer.status >= 400 && faults.length === 0 ? (answer.code ?? "") : [...faults, answer.status, answer.text].join(" · ");
}

export interface Session {
  readonly access_token: string;
  readonly refresh_token: string;
  /** The binding cookie's value; null for a client that is no browser. */
  readonly cookie: string | null;
}

/** A session without the password's cost. */
export async function sessionOf(deps: Deps, user: string, options: { browser?: true; agent?: string } = {}): Promise<Session> {
  let cookie: string | null = null;
  const call = {
    deps,
    ip: "127.0.0.1",
    agent: options.agent ?? "test",
    requestId: randomUUID(),
    language: "en" as const,
    binding: null,
    fromBrowser: options.browser === true,
    bind: (value: string | null) => void (cookie = value),
  };
  return { ...(await startSession(call, user)), cookie };
}

/** By password: the same for whoever gets it, because each costs as much as a sign-in. */
const hashes = new Map<string, Promise<string>>();

/** Gives a person a password; answers the e-mail to sign in with. */
export async function setPassword({ owner }: TestDatabase, user: string, password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  const { rows } = await owner.query<{ email: string }>("update users set password_hash = $2 where id = $1 returning email", [
    user,
    await hash,
  ]);
  return rows[0]?.email ?? "";
}
