import type pg from "pg";
import { eventPermissions } from "../../contract/notifications.ts";
import type { Logger } from "../log.ts";
import { takeOwner } from "./auth.ts";
import { channelSignature, closeCodes, isChangeEvent, sameText, tenantOfChannel } from "./protocol.ts";
import { Message } from "./rest.ts";
import { hangUp, say } from "./socket.ts";
import type { Deps, Link, Membership } from "./socket.ts";

export interface TenantSession {
  readonly sessionId: string;
  readonly tenantId: string;
}
export const tenantSessionKey = ({ sessionId, tenantId }: TenantSession): string => `${sessionId}:${tenantId}`;

/**
 * The permissions of each (session, tenant) as of now, by `tenantSessionKey`. null or absent: the session, its user, the
 * membership or the tenant is no longer valid. One query for all.
 */
export type Authorities = (of: readonly TenantSession[]) => Promise<ReadonlyMap<string, ReadonlySet<string> | null>>;

interface RoomsDeps {
  readonly service: { readonly key: string; readonly secret: string };
  readonly pool: pg.Pool;
  readonly authorities: Authorities;
  readonly links: ReadonlySet<Link>;
  readonly log: Logger;
}

interface Rooms extends Deps {
  leaveAll(link: Link): void;
  /** A message of any process, as JSON text. */
  deliver(message: string): void;
  /** Reads the rights of all subscribed sockets anew; never throws. */
  recheck(): Promise<void>;
}

/** Rights older than this are not trusted: the event is withheld, and the socket reconnects once they can be read. */
const staleMs = 3000;
const rights = Object.values(eventPermissions);
const mayHearAny = (held: ReadonlySet<string>) => rights.some((right) => held.has(right));

/** Counts a user may not see leave as 0. */
const countRights = {
  process_count: eventPermissions.deposit,
  pending_count: eventPermissions.withdraw,
  critical_account_count: eventPermissions.paymentAccount,
} as const;

function dataFor(held: ReadonlySet<string>, data: string): string {
  const hidden = Object.entries(countRights).filter(([, right]) => !held.has(right));
  if (hidden.length === 0) return data;
  const fields = JSON.parse(data) as Record<string, unknown>; // our publisher's object; deliver catches anything else
  for (const [name] of hidden) if (name in fields) fields[name] = 0;
  return JSON.stringify(fields);
}

export function createRooms(deps: RoomsDeps): Rooms {
  const rooms = new Map<string, Set<Link>>();

  function leave(link: Link, channel: string): void {
    link.joined.delete(channel);
    const room = rooms.get(channel);
    room?.delete(link);
    if (room?.size === 0) rooms.delete(channel);
  }

  async function join(link: Link, channel: unknown, auth: unknown): Promise<boolean> {
    const tenantId = tenantOfChannel(channel);
    if (tenantId === null || typeof channel !== "string" || typeof auth !== "string") return false;
    if (!sameText(auth, channelSignature(deps.service.key, deps.service.secret, link.id, channel))) return false;
    const owner = await takeOwner(deps.pool, link.id, tenantId);
    if (!owner) return false;
    const checkedAt = Date.now();
    const held = (await deps.authorities([owner])).get(tenantSessionKey(owner));
    if (!held || !mayHearAny(held) || link.ws.readyState !== link.ws.OPEN) return false;
    link.joined.set(channel, { sessionId: owner.sessionId, tenantId, held, checkedAt });
    link.hasJoined = true;
    const room = rooms.get(channel) ?? new Set();
    rooms.set(channel, room.add(link));
    return true;
  }

  function deliver(text: string): void {
    try {
      const { channel, event, data, except } = Message.parse(JSON.parse(text));
      if (!isChangeEvent(event)) return;
      for (const link of rooms.get(channel) ?? []) {
        const membership = link.joined.get(channel);
        if (!membership || link.id === except || !membership.held.has(eventPermissions[event])) continue;
        if (Date.now() - membership.checkedAt > staleMs) link.missed = true;
        else say(link, event, dataFor(membership.held, data), channel);
      }
    } catch (error) {
      deps.log.error({ err: error }, "realtime message not understood");
    }
  }

  function judge(link: Link, channel: string, membership: Membership, held: ReadonlySet<string> | null | undefined, at: number): void {
    if (!held) return hangUp(link, closeCodes.unauthorised, "the session has ended");
    if (!mayHearAny(held)) {
      leave(link, channel);
      return say(link, "pusher:subscription_error", { type: "AuthError", error: "no longer authorised", status: 403 }, channel);
    }
    membership.held = held;
    membership.checkedAt = at;
  }

  async function recheck(): Promise<void> {
    const asked = new Map<string, TenantSession>();
    const found: { link: Link; channel: string; membership: Membership }[] = [];
    for (const link of deps.links) {
      for (const [channel, membership] of link.joined) {
        asked.set(tenantSessionKey(membership), membership);
        found.push({ link, channel, membership });
      }
    }
    if (found.length === 0) return;
    const at = Date.now();
    try {
      const all = await deps.authorities([...asked.values()]);
      for (const { link, channel, membership } of found) {
        if (link.joined.get(channel) === membership) judge(link, channel, membership, all.get(tenantSessionKey(membership)), at);
        if (link.missed) hangUp(link, closeCodes.reconnect, "events were missed");
      }
    } catch (error) {
      deps.log.warn({ err: error }, "rights of realtime sockets could not be read");
    }
  }

  return {
    join,
    leave: (link, channel) => {
      if (typeof channel === "string") leave(link, channel);
    },
    leaveAll: (link) => {
      for (const channel of link.joined.keys()) leave(link, channel);
    },
    deliver,
    recheck,
  };
}
