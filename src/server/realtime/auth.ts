import type pg from "pg";
import { channelSignature, isSocketId, tenantOfChannel } from "./protocol.ts";

interface ChannelRequest {
  readonly socketId: string;
  readonly channel: string;
  readonly caller: { readonly userId: string; readonly tenantId: string; readonly sessionId: string };
}

interface ChannelAuthDeps {
  readonly pool: pg.Pool;
  readonly service: { readonly key: string; readonly secret: string };
}

/**
 * Signs the channel of the caller's tenant (`tenantOf` tells whose one is) for a socket, and stores whose socket it is, so that the
 * process holding it can filter events by permission. null (nothing signed): any other channel, a malformed socket id, or a socket
 * another user is about to subscribe.
 */
export async function authorizeChannel(
  deps: ChannelAuthDeps,
  request: ChannelRequest,
  tenantOf: (channel: string) => string | null = tenantOfChannel,
): Promise<{ auth: string } | null> {
  const { socketId, channel, caller } = request;
  if (!isSocketId(socketId) || tenantOf(channel) !== caller.tenantId) return null;
  const recorded = await deps.pool.query(
    `insert into realtime_sockets as s (socket_id, user_id, tenant_id, session_id, at) values ($1, $2, $3, $4, now())
     on conflict (socket_id) do update set tenant_id = excluded.tenant_id, session_id = excluded.session_id, at = now()
     where s.user_id = excluded.user_id`,
    [socketId, caller.userId, caller.tenantId, caller.sessionId],
  );
  if (recorded.rowCount !== 1) return null;
  return { auth: channelSignature(deps.service.key, deps.service.secret, socketId, channel) };
}

interface SocketOwner {
  readonly userId: string;
  readonly tenantId: string;
  readonly sessionId: string;
}

/** Seconds between signing a channel and subscribing to it. */
const validSeconds = 60;

/** The user the socket was signed for. A signature works once, so a second subscription needs a second one. */
export async function consumeSignature(pool: pg.Pool, socketId: string, tenantId: string): Promise<SocketOwner | null> {
  const { rows } = await pool.query<SocketOwner>(
    `delete from realtime_sockets where socket_id = $1 and tenant_id = $2 and at > now() - make_interval(secs => $3)
     returning user_id as "userId", tenant_id as "tenantId", session_id as "sessionId"`,
    [socketId, tenantId, validSeconds],
  );
  return rows[0] ?? null;
}

/** Deletes signatures that were not used in time. */
export async function dropUnusedSignatures(pool: pg.Pool): Promise<void> {
  await pool.query("delete from realtime_sockets where at < now() - make_interval(secs => $1)", [validSeconds * 2]);
}
