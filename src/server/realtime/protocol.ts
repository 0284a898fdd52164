import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { eventPermissions } from "../../contract/notifications.ts";
import type { ChangeEventName } from "../../contract/notifications.ts";

/** Close codes of the Pusher protocol: after 40xx the client stays away, after 41xx it waits, after 42xx it reconnects at once. */
export const closeCodes = {
  unknownKey: 4001,
  unsupportedProtocol: 4007,
  unauthorised: 4009,
  overCapacity: 4100,
  reconnect: 4200,
} as const;
/** Not a close code: the code of the error frame that answers a client event. */
export const clientEventRefused = 4301;

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const channelName = new RegExp(`^private-channel\\.(${uuid})$`);
const rightsChannelName = new RegExp(`^private-rights\\.(${uuid})$`);
const socketIdForm = /^\d{1,16}\.\d{1,16}$/;

/** The tenant of a channel; null: not a tenant's channel. */
export function tenantOfChannel(channel: unknown): string | null {
  return typeof channel === "string" ? (channelName.exec(channel)?.[1] ?? null) : null;
}

/** The tenant of a channel on which nothing is told but a change of one's own rights; null: not such a channel. */
export function tenantOfRightsChannel(channel: unknown): string | null {
  return typeof channel === "string" ? (rightsChannelName.exec(channel)?.[1] ?? null) : null;
}

export const channelOfTenant = (tenantId: string): string => `private-channel.${tenantId}`;

export const isSocketId = (text: unknown): text is string => typeof text === "string" && socketIdForm.test(text);

export const isChangeEvent = (name: unknown): name is ChangeEventName => typeof name === "string" && Object.hasOwn(eventPermissions, name);

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex");

/** Compares digests of equal length, so that the time taken reveals neither content nor length of a guess. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/** The signature a client needs to subscribe: `key:hmac("socket_id:channel")`. */
export function channelSignature(key: string, secret: string, socketId: string, channel: string): string {
  return `${key}:${hmac(secret, `${socketId}:${channel}`)}`;
}

interface SignedRequest {
  readonly method: string;
  /** Path and query, as received. */
  readonly url: string;
  /** The raw bytes. */
  readonly body: Buffer;
}

/** Seconds a request's timestamp may be off (Pusher's HTTP API). */
const tolerance = 600;

/** Whether a request to the HTTP API is signed with the key's secret over exactly these bytes, within ten minutes. */
export function isSignedRequest(request: SignedRequest, key: string, secret: string, nowSeconds = Date.now() / 1000): boolean {
  const mark = request.url.indexOf("?");
  if (mark < 0) return false;
  const query = new URLSearchParams(request.url.slice(mark + 1));
  const names = [...query.keys()];
  if (new Set(names).size !== names.length) return false;
  const given = query.get("auth_signature") ?? "";
  query.delete("auth_signature");
  const sorted = [...query].map(([name, value]) => [name.toLowerCase(), value] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const signed = [request.method, request.url.slice(0, mark), sorted.map(([name, value]) => `${name}=${value}`).join("&")].join("\n");
  const timestamp = Number(query.get("auth_timestamp") ?? Number.NaN);
  const bodyHash = createHash("md5").update(request.body).digest("hex");
  return [
    sameText(query.get("auth_key") ?? "", key),
    query.get("auth_version") === "1.0",
    Math.abs(nowSeconds - timestamp) <= tolerance,
    sameText(query.get("body_md5") ?? "", bodyHash),
    sameText(given, hmac(secret, signed)),
  ].every(Boolean);
}
