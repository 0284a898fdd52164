import { randomInt } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyPluginAsync } from "fastify";
import type pg from "pg";
import { WebSocketServer } from "ws";
import type { WebSocket } from "ws";
import type { RealtimeConfig } from "../config.ts";
import type { Logger } from "../log.ts";
import { dropUnusedSignatures } from "./auth.ts";
import { clientAddress } from "./address.ts";
import { createFanout } from "./fanout.ts";
import { closeCodes, sameText } from "./protocol.ts";
import { restPlugin } from "./rest.ts";
import { createRooms } from "./rooms.ts";
import type { Authorities } from "./rooms.ts";
import { answerFrames, disconnect, newConnection, send } from "./socket.ts";
import type { Connection } from "./socket.ts";

interface EndpointDeps {
  readonly service: Pick<RealtimeConfig, "appId" | "key" | "secret">;
  /** For the table realtime_sockets, and for notifying the other processes. */
  readonly pool: pg.Pool;
  /** How to open the separate database connection that listens. */
  readonly listen: () => pg.ClientConfig;
  readonly authorities: Authorities;
  /** Allowed browser origins in addition to the server's own. */
  readonly origins: readonly string[];
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks. */
  readonly trustProxy?: readonly string[];
  /** Most sockets of one address: enough for an office with many users and tabs, but not all there are. */
  readonly socketsPerAddress?: number;
  readonly log: Logger;
}

interface RealtimeEndpoint {
  /** The HTTP API and the sockets on the same server; closes the sockets when it closes. */
  readonly plugin: FastifyPluginAsync;
  /** Resolves when it receives events of other processes. */
  readonly ready: Promise<void>;
  /** Closes every socket with code 4200: reconnect at once. */
  close(): Promise<void>;
}

/** Sent to the client: seconds of silence after which it pings the server. */
const activitySeconds = 15;
const pingAfterMs = 15_000;
const goneAfterMs = 20_000;
/** A socket that has not subscribed by then is closed. */
const subscribeWithinMs = 30_000;
const socketLimit = 5_000;
const authorityMs = 700;
/** Most origins whose refusal is logged: whoever connects can make up any number. */
const originsLogged = 100;

/** Our own Pusher-protocol service: private tenant channels, with each event sent only to sockets whose user may see it. */
export function createRealtimeEndpoint(deps: EndpointDeps): RealtimeEndpoint {
  const connections = new Set<Connection>();
  const rooms = createRooms({ ...deps, connections });
  const fanout = createFanout({ pool: deps.pool, listen: deps.listen, log: deps.log, receive: rooms.deliver, gap: reconnectAll });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 8192, perMessageDeflate: false, clientTracking: false });
  const addressOf = clientAddress(deps.trustProxy ?? []);
  const socketsPerAddress = deps.socketsPerAddress ?? 1_000;
  const perAddress = new Map<string, number>();
  const refusedOrigins = new Set<string>();
  let closed: Promise<void> | undefined;

  /** Closes all sockets, because events may have been missed and clients refetch when they reconnect; spread over half a second. */
  function reconnectAll(): void {
    for (const connection of connections)
      setTimeout(() => disconnect(connection, closeCodes.reconnect, "reconnect"), Math.random() * 500).unref();
  }

  /** Says once of each origin that it is refused: behind a proxy that changes Host, or with another name of the console, all of them are. */
  function logOrigin({ origin = "", host }: IncomingMessage["headers"]): void {
    if (refusedOrigins.has(origin) || refusedOrigins.size >= originsLogged) return;
    refusedOrigins.add(origin);
    deps.log.warn({ origin, host }, "a socket is refused for its page's origin, which is neither this host nor one of ORIGINS");
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const target = request.url ?? "/";
    const base = "http://localhost";
    // "//" is no valid URL, and an exception thrown here would end the process
    if (!URL.canParse(target, base)) return refuseUpgrade(socket, "400 Bad Request");
    const url = new URL(target, base);
    const key = /^\/app\/([^/]+)$/.exec(url.pathname)?.[1];
    if (key === undefined) return refuseUpgrade(socket, "404 Not Found");
    if (!isOriginAllowed(request, deps.origins)) {
      logOrigin(request.headers);
      return refuseUpgrade(socket, "403 Forbidden");
    }
    if (closed) return refuseUpgrade(socket, "503 Service Unavailable");
    sockets.handleUpgrade(request, socket, head, (ws) => welcome(ws, key, Number(url.searchParams.get("protocol")), addressOf(request)));
  }

  function welcome(ws: WebSocket, key: string, protocol: number, address: string): void {
    const connection = newConnection(ws, `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`);
    ws.on("error", () => ws.terminate()); // a frame that is too large or broken
    if (!sameText(key, deps.service.key)) return disconnect(connection, closeCodes.unknownKey, "no such app key");
    if (![5, 6, 7].includes(protocol)) return disconnect(connection, closeCodes.unsupportedProtocol, "unsupported protocol version");
    const openHere = perAddress.get(address) ?? 0;
    if (connections.size >= socketLimit || openHere >= socketsPerAddress)
      return disconnect(connection, closeCodes.overCapacity, "over capacity");
    connections.add(connection);
    perAddress.set(address, openHere + 1);
    ws.on("close", () => {
      connections.delete(connection);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
      rooms.leaveAll(connection);
    });
    ws.on("pong", () => (connection.heardAt = Date.now()));
    answerFrames(connection, rooms, deps.log);
    send(connection, "pusher:connection_established", JSON.stringify({ socket_id: connection.id, activity_timeout: activitySeconds }));
  }

  const pulse = setInterval(() => {
    const now = Date.now();
    for (const connection of connections) {
      if (now - connection.heardAt > goneAfterMs) connection.ws.terminate();
      else if (now - connection.heardAt > pingAfterMs) connection.ws.ping();
      if (!connection.hasJoined && now - connection.since > subscribeWithinMs) {
        disconnect(connection, closeCodes.unauthorised, "not subscribed in time");
      }
    }
  }, 2500).unref();
  const sweep = setInterval(() => void dropUnusedSignatures(deps.pool).catch(() => undefined), 60_000).unref();

  const closing = new AbortController();
  async function watchAuthority(): Promise<void> {
    while (!closing.signal.aborted) {
      await rooms.recheck();
      await delay(authorityMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }
  void watchAuthority();

  async function shutDown(): Promise<void> {
    closing.abort();
    clearInterval(pulse);
    clearInterval(sweep);
    const gone = [...connections].map((connection) => new Promise<void>((resolve) => connection.ws.once("close", () => resolve())));
    for (const connection of connections) disconnect(connection, closeCodes.reconnect, "the server is going down");
    await Promise.race([Promise.all(gone), delay(1000)]);
    for (const connection of connections) connection.ws.terminate();
    await fanout.close();
  }
  const close = () => (closed ??= shutDown());

  return {
    ready: fanout.ready,
    close,
    plugin: async (app) => {
      (app.server as Server).on("upgrade", upgrade); // we listen on HTTP/1 only
      await app.register(restPlugin({ service: deps.service, send: fanout.send }));
      app.addHook("preClose", close);
    },
  };
}

function refuseUpgrade(socket: Duplex, status: string): void {
  // closes both directions, because a client that keeps its own open would keep ours
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/**
 * Browsers always send the origin of their page, which must be ours or a listed one. Other clients send none, and need a signature anyway.
 */
function isOriginAllowed(request: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return true;
  try {
    const from = new URL(origin);
    return from.host === host || origins.some((allowed) => new URL(allowed).origin === from.origin);
  } catch {
    return false; // "null", or no origin at all
  }
}
