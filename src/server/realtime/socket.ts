import type { RawData, WebSocket } from "ws";
import type { Logger } from "../log.ts";
import { clientEventRefused, closeCodes } from "./protocol.ts";

/** What one subscription may hear, as of `checkedAt`. */
export interface Membership {
  readonly sessionId: string;
  readonly tenantId: string;
  held: ReadonlySet<string>;
  checkedAt: number;
}

/** One open socket. */
export interface Link {
  readonly ws: WebSocket;
  readonly id: string;
  readonly since: number;
  heardAt: number;
  /** Channel → membership. */
  readonly joined: Map<string, Membership>;
  hasJoined: boolean;
  /** An event was withheld because its rights could not be read. */
  missed: boolean;
  /** Subscriptions being judged. */
  judging: number;
  frames: { from: number; count: number };
}

export function newLink(ws: WebSocket, id: string): Link {
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

/** Unread bytes after which a socket is too slow to keep. */
const backlogLimit = 256 * 1024;
const framesPer10s = 200;
const channelsPerSocket = 4;

/** Sends a frame; a socket that does not read is sent away to come back later. `data` is JSON text where the protocol has it so. */
export function say(link: Link, event: string, data: unknown, channel?: string): void {
  if (link.ws.readyState !== link.ws.OPEN) return;
  if (link.ws.bufferedAmount > backlogLimit) return hangUp(link, closeCodes.overCapacity, "too slow");
  link.ws.send(JSON.stringify({ event, ...(channel === undefined ? {} : { channel }), data }));
}

/** Closes with a code the client understands; one that does not answer is cut off. */
export function hangUp(link: Link, code: number, reason: string): void {
  if (link.ws.readyState !== link.ws.OPEN) return;
  link.ws.send(JSON.stringify({ event: "pusher:error", data: { code, message: reason } }));
  link.ws.close(code, reason);
  setTimeout(() => link.ws.terminate(), 2000).unref();
}

/** What a socket may ask of the channels. */
export interface Deps {
  /** Resolves to whether the socket may listen and now does. */
  join(link: Link, channel: unknown, auth: unknown): Promise<boolean>;
  leave(link: Link, channel: unknown): void;
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

/** Answers what clients send: ping, subscribe, unsubscribe. They may not publish. */
export function answerFrames(link: Link, deps: Deps, log: Logger): void {
  link.ws.on("message", (raw: RawData, isBinary: boolean) => {
    const now = Date.now();
    link.heardAt = now;
    if (now - link.frames.from > 10_000) link.frames = { from: now, count: 0 };
    if (++link.frames.count > framesPer10s) return hangUp(link, closeCodes.overCapacity, "too many frames");
    const frame = readFrame(raw, isBinary);
    if (!frame) return say(link, "pusher:error", { code: null, message: "not a frame of the protocol" });
    const { event, data } = frame;
    if (event === "pusher:ping") return say(link, "pusher:pong", {});
    if (event === "pusher:subscribe") return void subscribe(link, deps, data["channel"], data["auth"], log);
    if (event === "pusher:unsubscribe") return deps.leave(link, data["channel"]);
    if (event.startsWith("client-")) {
      return say(link, "pusher:error", { code: clientEventRefused, message: "client events are off" }, named(frame.channel));
    }
  });
}

const named = (channel: unknown) => (typeof channel === "string" ? channel.slice(0, 200) : "");

async function subscribe(link: Link, deps: Deps, channel: unknown, auth: unknown, log: Logger): Promise<void> {
  const refuse = (status: number, error: string) =>
    say(link, "pusher:subscription_error", { type: "AuthError", error, status }, named(channel));
  if (link.joined.size + link.judging >= channelsPerSocket) return refuse(429, "too many channels");
  link.judging++;
  try {
    if (!(await deps.join(link, channel, auth))) return refuse(401, "not authorised");
    say(link, "pusher_internal:subscription_succeeded", "{}", named(channel));
  } catch (error) {
    log.warn({ err: error }, "realtime subscription could not be judged");
    hangUp(link, closeCodes.reconnect, "try again");
  } finally {
    link.judging--;
  }
}
