import type { RawData, WebSocket } from "ws";
import type { Logger } from "../log.ts";
import { clientEventRefused, closeCodes } from "./protocol.ts";

/** One subscription, with the permissions read at `checkedAt`. */
export interface Subscription {
  readonly sessionId: string;
  readonly tenantId: string;
  held: ReadonlySet<string>;
  checkedAt: number;
}

/** One open WebSocket connection. */
export interface Connection {
  readonly ws: WebSocket;
  readonly id: string;
  readonly since: number;
  heardAt: number;
  /** Channel → subscription. */
  readonly joined: Map<string, Subscription>;
  hasJoined: boolean;
  /** An event was withheld because the permissions were too old; the client must reconnect. */
  missed: boolean;
  /** Subscriptions being checked. */
  judging: number;
  frames: { from: number; count: number };
}

export function newConnection(ws: WebSocket, id: string): Connection {
  const now = Date.now();
  return {
    ws,
    id,
    since: now,
    heardAt: now,
    joined: new Map(),
    hasJoined: false,
    missed: false,
    judging: 0,
    frames: { from: now, count: 0 },
  };
}

/** Unread bytes after which a connection is too slow to keep. */
const backlogLimit = 256 * 1024;
const framesPer10s = 200;
const channelsPerSocket = 4;

/** Sends a frame; a client that does not read is disconnected and reconnects later. `data` is JSON text where the protocol requires it. */
export function send(connection: Connection, event: string, data: unknown, channel?: string): void {
  if (connection.ws.readyState !== connection.ws.OPEN) return;
  if (connection.ws.bufferedAmount > backlogLimit) return disconnect(connection, closeCodes.overCapacity, "too slow");
  connection.ws.send(JSON.stringify({ event, ...(channel === undefined ? {} : { channel }), data }));
}

/** Closes with a code of the protocol, and cuts the connection off if the client does not close it. */
export function disconnect(connection: Connection, code: number, reason: string): void {
  if (connection.ws.readyState !== connection.ws.OPEN) return;
  connection.ws.send(JSON.stringify({ event: "pusher:error", data: { code, message: reason } }));
  connection.ws.close(code, reason);
  setTimeout(() => connection.ws.terminate(), 2000).unref();
}

/** The channels a connection can join. */
export interface Channels {
  /** Resolves to whether the connection may listen, and then listens. */
  join(connection: Connection, channel: unknown, auth: unknown): Promise<boolean>;
  leave(connection: Connection, channel: unknown): void;
}

interface Frame {
  readonly event: string;
  readonly channel: unknown;
  readonly data: Readonly<Record<string, unknown>>;
}

function readFrame(raw: RawData, isBinary: boolean): Frame | null {
  if (isBinary || !Buffer.isBuffer(raw)) return null;
  try {
    const frame = asRecord(JSON.parse(raw.toString("utf8")));
    if (typeof frame?.["event"] !== "string") return null;
    const { data } = frame;
    return { event: frame["event"], channel: frame["channel"], data: asRecord(typeof data === "string" ? JSON.parse(data) : data) ?? {} };
  } catch {
    return null;
  }
}

function asRecord(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null; // any object has string keys
}

/** Answers the clients' frames: ping, subscribe, unsubscribe. Clients cannot publish. */
export function answerFrames(connection: Connection, channels: Channels, log: Logger): void {
  connection.ws.on("message", (raw: RawData, isBinary: boolean) => {
    const now = Date.now();
    connection.heardAt = now;
    if (now - connection.frames.from > 10_000) connection.frames = { from: now, count: 0 };
    if (++connection.frames.count > framesPer10s) return disconnect(connection, closeCodes.overCapacity, "too many frames");
    const frame = readFrame(raw, isBinary);
    if (!frame) return send(connection, "pusher:error", { code: null, message: "not a frame of the protocol" });
    const { event, data } = frame;
    if (event === "pusher:ping") return send(connection, "pusher:pong", {});
    if (event === "pusher:subscribe") return void subscribe(connection, channels, data["channel"], data["auth"], log);
    if (event === "pusher:unsubscribe") return channels.leave(connection, data["channel"]);
    if (event.startsWith("client-")) {
      return send(connection, "pusher:error", { code: clientEventRefused, message: "client events are off" }, channelText(frame.channel));
    }
  });
}

const channelText = (channel: unknown) => (typeof channel === "string" ? channel.slice(0, 200) : "");

async function subscribe(connection: Connection, channels: Channels, channel: unknown, auth: unknown, log: Logger): Promise<void> {
  const refuse = (status: number, error: string) =>
    send(connection, "pusher:subscription_error", { type: "AuthError", error, status }, channelText(channel));
  if (connection.joined.size + connection.judging >= channelsPerSocket) return refuse(429, "too many channels");
  connection.judging++;
  try {
    if (!(await channels.join(connection, channel, auth))) return refuse(401, "not authorised");
    send(connection, "pusher_internal:subscription_succeeded", "{}", channelText(channel));
  } catch (error) {
    log.warn({ err: error }, "realtime subscription could not be judged");
    disconnect(connection, closeCodes.reconnect, "try again");
  } finally {
    connection.judging--;
  }
}
