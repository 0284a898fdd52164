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
import { dropUnusedOwners } from "./auth.ts";
import { clientAddress } from "./address.ts";
import { createFanout } from "./fanout.ts";
import { closeCodes, sameText } from "./protocol.ts";
import { restPlugin } from "./rest.ts";
import { createRooms } from "./rooms.ts";
import type { Authorities } from "./rooms.ts";
import { answerFrames, hangUp, newLink, say } from "./socket.ts";
import type { Link } from "./socket.ts";

interface EndpointDeps {
  readonly service: Pick<RealtimeConfig, "appId" | "key" | "secret">;
  /** For realtime_sockets and for notifying the other processes. */
  readonly pool: pg.Pool;
  /** How to make the connection of its own that listens. */
  readonly listen: () => pg.ClientConfig;
  readonly authorities: Authorities;
  /** Origins a browser may come from besides the server's own. */
  readonly origins: readonly string[];
  /** Proxies whose X-Forwarded-For is believed: addresses or networks. */
  readonly trustProxy?: readonly string[];
  /** An office behind one address has many people with several tabs each; one address alone cannot take every place. */
  readonly socketsPerAddress?: number;
  readonly log: Logger;
}

interface RealtimeEndpoint {
  /** The HTTP API, the sockets on the same server, and their end when it closes. */
  readonly plugin: FastifyPluginAsync;
  /** Resolves when events of other processes are heard. */
  readonly ready: Promise<void>;
  /** Sends every socket away to reconnect at once (4200). */
  close(): Promise<void>;
}

/** Told to the client: after so many silent seconds it asks whether we are there. */
const activitySeconds = 15;
const pingAfterMs = 15_000;
const goneAfterMs = 20_000;
/** A socket that has not subscribed by then has no business here. */
const subscribeWithinMs = 30_000;
const socketLimit = 5_000;
const authorityMs = 700;

/** Our own Pusher-protocol service: private tenant channels, each event only to sockets whose user may see it. */
export function createRealtimeEndpoint(deps: EndpointDeps): RealtimeEndpoint {
  const links = new Set<Link>();
  const rooms = createRooms({ ...deps, links });
  const fanout = createFanout({ pool: deps.pool, listen: deps.listen, log: deps.log, receive: rooms.deliver, gap: reconnectAll });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 8192, perMessageDeflate: false, clientTracking: false });
  const addressOf = clientAddress(deps.trustProxy ?? []);
  const socketsPerAddress = deps.socketsPerAddress ?? 1_000;
  const perAddress = new Map<string, number>();
  let closed: Promise<void> | undefined;

  /** Events may have been missed: clients read their counters anew when they reconnect. Spread over half a second. */
  function reconnectAll(): void {
    for (const link of links) setTimeout(() => hangUp(link, closeCodes.reconnect, "reconnect"), Math.random() * 500).unref();
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => socket.destroy());
    const target = request.url ?? "/";
    const base = "http://localhost";
    // "//" is a target no URL can be made of; thrown here it would end the process
    if (!URL.canParse(target, base)) return refuse(socket, "400 Bad Request");
    const url = new URL(target, base);
    const key = /^\/app\/([^/]+)$/.exec(url.pathname)?.[1];
    if (key === undefined) return refuse(socket, "404 Not Found");
    if (!isOriginAllowed(request, deps.origins)) return refuse(socket, "403 Forbidden");
    if (closed) return refuse(socket, "503 Service Unavailable");
    sockets.handleUpgrade(request, socket, head, (ws) => welcome(ws, key, Number(url.searchParams.get("protocol")), addressOf(request)));
  }

  function welcome(ws: WebSocket, key: string, protocol: number, address: string): void {
    const link = newLink(ws, `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`);
    ws.on("error", () => ws.terminate()); // too large a frame, a broken one
    if (!sameText(key, deps.service.key)) return hangUp(link, closeCodes.unknownKey, "no such app key");
    if (![5, 6, 7].includes(protocol)) return hangUp(link, closeCodes.unsupportedProtocol, "unsupported protocol version");
    const fromThere = perAddress.get(address) ?? 0;
    if (links.size >= socketLimit || fromThere >= socketsPerAddress) return hangUp(link, closeCodes.overCapacity, "over capacity");
    links.add(link);
    perAddress.set(address, fromThere + 1);
    ws.on("close", () => {
      links.delete(link);
      const left = (perAddress.get(address) ?? 1) - 1;
      if (left > 0) perAddress.set(address, left);
      else perAddress.delete(address);
      rooms.leaveAll(link);
    });
    ws.on("pong", () => (link.heardAt = Date.now()));
    answerFrames(link, rooms, deps.log);
    say(link, "pusher:connection_established", JSON.stringify({ socket_id: link.id, activity_timeout: activitySeconds }));
  }

  const pulse = setInterval(() => {
    const now = Date.now();
    for (const link of links) {
      if (now - link.heardAt > goneAfterMs) link.ws.terminate();
      else if (now - link.heardAt > pingAfterMs) link.ws.ping();
      if (!link.hasJoined && now - link.since > subscribeWithinMs) {
        hangUp(link, closeCodes.unauthorised, "not subscribed in time");
      }
    }
  }, 2500).unref();
  const sweep = setInterval(() => void dropUnusedOwners(deps.pool).catch(() => undefined), 60_000).unref();

  const closing = new AbortController();
  async function watchAuthority(): Promise<void> {
    while (!closing.signal.aborted) {
      await rooms.recheck();
      await delay(authorityMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }
  void watchAuthority();

  async function shut(): Promise<void> {
    closing.abort();
    clearInterval(pulse);
    clearInterval(sweep);
    const gone = [...links].map((link) => new Promise<void>((resolve) => link.ws.once("close", () => resolve())));
    for (const link of links) hangUp(link, closeCodes.reconnect, "the server is going down");
    await Promise.race([Promise.all(gone), delay(1000)]);
    for (const link of links) link.ws.terminate();
    await fanout.close();
  }
  const close = () => (closed ??= shut());

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

function refuse(socket: Duplex, status: string): void {
  // not half closed: a client that keeps its end open would keep ours
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

/** A browser always says where its page is from: ours, or a listed one. Other clients say nothing, and need a signature anyway. */
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
