import type pg from "pg";
import { counterPermissions, eventPermissions, rightsEvent } from "../../contract/notifications.ts";
import type { Logger } from "../log.ts";
import { consumeSignature } from "./auth.ts";
import { channelSignature, closeCodes, isChangeEvent, sameText, tenantOfChannel, tenantOfRightsChannel } from "./protocol.ts";
import { Message } from "./rest.ts";
import { disconnect, send } from "./socket.ts";
import type { Channels, Connection, Subscription } from "./socket.ts";

export interface TenantSession {
  readonly sessionId: string;
  readonly tenantId: string;
}
export const tenantSessionKey = ({ sessionId, tenantId }: TenantSession): string => `${sessionId}:${tenantId}`;

/**
 * The current permissions of each (session, tenant) by `tenantSessionKey`, in one query. null or absent: the session, its user, the
 * membership or the tenant is no longer valid.
 */
export type Authorities = (of: readonly TenantSession[]) => Promise<ReadonlyMap<string, ReadonlySet<string> | null>>;

interface RoomsDeps {
  readonly service: { readonly key: string; readonly secret: string };
  readonly pool: pg.Pool;
  readonly authorities: Authorities;
  readonly connections: ReadonlySet<Connection>;
  readonly log: Logger;
}

interface Rooms extends Channels {
  leaveAll(connection: Connection): void;
  /** Sends a message of any process (JSON text) to its channel. */
  deliver(message: string): void;
  /** Reads the permissions of all subscriptions anew; never throws. */
  recheck(): Promise<void>;
}

/** Events are withheld when the permissions are older than this many ms; the connection is closed to reconnect once they can be read. */
const staleMs = 3000;
const rights = Object.values(eventPermissions);
/** Of their own rights everybody may hear. */
const mayHear = (channel: string, held: ReadonlySet<string>) =>
  tenantOfRightsChannel(channel) !== null || rights.some((right) => held.has(right));
const isSame = (a: ReadonlySet<string>, b: ReadonlySet<string>) => a.size === b.size && [...a].every((right) => b.has(right));

/** The permission each count needs; without it the count is sent as 0. */
const countRights = {
  process_count: counterPermissions.deposit,
  pending_count: counterPermissions.withdraw,
  critical_account_count: counterPermissions.paymentAccount,
} as const;

function dataFor(held: ReadonlySet<string>, data: string): string {
  const hidden = Object.entries(countRights).filter(([, right]) => !held.has(right));
  if (hidden.length === 0) return data;
  const fields = JSON.parse(data) as Record<string, unknown>; // the object our publisher made; deliver catches anything else
  for (const [name] of hidden) if (name in fields) fields[name] = 0;
  return JSON.stringify(fields);
}

export function createRooms(deps: RoomsDeps): Rooms {
  const rooms = new Map<string, Set<Connection>>();

  function leave(connection: Connection, channel: string): void {
    connection.joined.delete(channel);
    const room = rooms.get(channel);
    room?.delete(connection);
    if (room?.size === 0) rooms.delete(channel);
  }

  async function join(connection: Connection, channel: unknown, auth: unknown): Promise<boolean> {
    const tenantId = tenantOfChannel(channel) ?? tenantOfRightsChannel(channel);
    if (tenantId === null || typeof channel !== "string" || typeof auth !== "string") return false;
    if (!sameText(auth, channelSignature(deps.service.key, deps.service.secret, connection.id, channel))) return false;
    const owner = await consumeSignature(deps.pool, connection.id, tenantId);
    if (!owner) return false;
    const checkedAt = Date.now();
    const held = (await deps.authorities([owner])).get(tenantSessionKey(owner));
    if (!held || !mayHear(channel, held) || connection.ws.readyState !== connection.ws.OPEN) return false;
    connection.joined.set(channel, { sessionId: owner.sessionId, tenantId, held, checkedAt });
    connection.hasJoined = true;
    const room = rooms.get(channel) ?? new Set();
    rooms.set(channel, room.add(connection));
    return true;
  }

  function deliver(text: string): void {
    try {
      const { channel, event, data, except } = Message.parse(JSON.parse(text));
      if (!isChangeEvent(event)) return;
      for (const connection of rooms.get(channel) ?? []) {
        const subscription = connection.joined.get(channel);
        if (!subscription || connection.id === except || !subscription.held.has(eventPermissions[event])) continue;
        if (Date.now() - subscription.checkedAt > staleMs) connection.missed = true;
        else send(connection, event, dataFor(subscription.held, data), channel);
      }
    } catch (error) {
      deps.log.error({ err: error }, "realtime message not understood");
    }
  }

  function applyRights(
    connection: Connection,
    channel: string,
    subscription: Subscription,
    held: ReadonlySet<string> | null | undefined,
    at: number,
  ): void {
    if (!held) return disconnect(connection, closeCodes.unauthorised, "the session has ended");
    // what is shown follows without being asked for
    if (!isSame(subscription.held, held)) send(connection, rightsEvent, "{}", channel);
    if (!mayHear(channel, held)) {
      leave(connection, channel);
      return send(connection, "pusher:subscription_error", { type: "AuthError", error: "no longer authorised", status: 403 }, channel);
    }
    subscription.held = held;
    subscription.checkedAt = at;
  }

  async function recheck(): Promise<void> {
    const holders = new Map<string, TenantSession>();
    const found: { connection: Connection; channel: string; subscription: Subscription }[] = [];
    for (const connection of deps.connections) {
      for (const [channel, subscription] of connection.joined) {
        holders.set(tenantSessionKey(subscription), subscription);
        found.push({ connection, channel, subscription });
      }
    }
    if (found.length === 0) return;
    const at = Date.now();
    try {
      const all = await deps.authorities([...holders.values()]);
      for (const { connection, channel, subscription } of found) {
        if (connection.joined.get(channel) === subscription)
          applyRights(connection, channel, subscription, all.get(tenantSessionKey(subscription)), at);
        if (connection.missed) disconnect(connection, closeCodes.reconnect, "events were missed");
      }
    } catch (error) {
      deps.log.warn({ err: error }, "rights of realtime sockets could not be read");
    }
  }

  return {
    join,
    leave: (connection, channel) => {
      if (typeof channel === "string") leave(connection, channel);
    },
    leaveAll: (connection) => {
      for (const channel of connection.joined.keys()) leave(connection, channel);
    },
    deliver,
    recheck,
  };
}
