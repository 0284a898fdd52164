import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { SessionEnd, Tokens } from "../../contract/session.ts";
import { systemActor } from "../audit/record.ts";
import type { PublicCall } from "../call.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { auditInAllTenants } from "./own-tenants.ts";
import { overlapSeconds, randomToken, sameBytes, sessionSeconds, sha256, signAccess, successorOf } from "./tokens.ts";

/** What the start of a session needs of a call. */
type SessionRequest = Pick<PublicCall, "deps" | "ip" | "agent" | "fromBrowser" | "bind">;

/**
 * Starts a session with its first refresh token; a browser's is bound to a cookie. `admit` runs first in the same transaction; if it
 * throws, no session is created.
 */
export async function startSession(call: SessionRequest, user: string, admit?: (db: Scoped) => Promise<void>): Promise<Tokens> {
  const { database, secrets } = call.deps;
  const cookie = call.fromBrowser ? randomToken() : null;
  const binding = cookie === null ? null : sha256(cookie);
  const refresh = randomToken();
  const session = await database.open.transaction().execute(async (db) => {
    await admit?.(db);
    const { id } = await db
      .insertInto("sessions")
      .values({
        user_id: user,
        binding,
        expires_at: sql<Date>`now() + make_interval(secs => ${sessionSeconds})`,
        ip: call.ip,
        agent: shortAgent(call.agent),
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("refresh_tokens")
      .values({ hash: sha256(refresh), session_id: id })
      .execute();
    await db
      .updateTable("users")
      .set({ last_login_at: sql<Date>`now()`, last_login_ip: call.ip })
      .where("id", "=", user)
      .execute();
    return id;
  });
  if (cookie !== null) call.bind(cookie);
  return { access_token: await signAccess(secrets, session, user, binding), refresh_token: refresh };
}

/**
 * Rotates a refresh token. Used again within the overlap it answers the same successor; used later it ends the session, because one of its
 * two holders is not the user (RFC 9700). Refuses with refresh.refused.
 */
export async function rotateSession(call: PublicCall, token: string): Promise<Tokens> {
  const { database, secrets } = call.deps;
  const next = successorOf(secrets, token);
  const outcome = await database.open.transaction().execute(async (db) => {
    const found = await db
      .selectFrom("refresh_tokens as r")
      .innerJoin("sessions as s", "s.id", "r.session_id")
      .innerJoin("users as u", (join) => join.onRef("u.id", "=", "s.user_id").on("u.status", "=", "active"))
      .select(["s.id as session", "s.user_id as user", "s.binding", "r.used_at"])
      .select(sql<boolean>`r.used_at < now() - make_interval(secs => ${overlapSeconds})`.as("reused"))
      .where("r.hash", "=", sha256(token))
      .where("s.ended_at", "is", null)
      .where("s.expires_at", ">", sql<Date>`now()`)
      .forUpdate("r")
      .executeTakeFirst();
    if (!found) return null;
    if (found.binding && !(call.binding !== null && sameBytes(sha256(call.binding), found.binding))) return null;
    if (found.reused) {
      await endSession(db, found.session, "token-reused", { user: null, ...call });
      const { ip, requestId } = call;
      await auditInAllTenants(db, found.user, { ...systemActor, ip, requestId }, { act: "session.token-reused" });
      call.deps.log.warn(
        { user: found.user, session: found.session, ip, requestId },
        "a refresh token was used twice: its session is ended",
      );
      return null;
    }
    if (found.used_at === null) {
      await db
        .updateTable("refresh_tokens")
        .set({ used_at: sql<Date>`now()` })
        .where("hash", "=", sha256(token))
        .execute();
      await db
        .insertInto("refresh_tokens")
        .values({ hash: sha256(next), session_id: found.session })
        .execute();
    }
    return found;
  });
  if (!outcome) throw new Refusal("refresh.refused");
  return { access_token: await signAccess(secrets, outcome.session, outcome.user, outcome.binding), refresh_token: next };
}

/** Why a session is ended before its time. */
export type EndedWhy = Exclude<SessionEnd["why"], "expired">;

/** Who ended a session, and from where; `user` null: unknown. */
interface EndedBy {
  readonly user: string | null;
  readonly ip: string;
  readonly agent: string;
}

export async function endSession(db: Scoped, session: string, why: EndedWhy, by: EndedBy): Promise<void> {
  await endWhere(db, sql`id = ${session}`, why, by);
}

/** Ends all sessions of a user, or all but `except`, and answers how many; their tokens and sockets are invalid at once. */
export async function endSessionsOf(db: Scoped, user: string, why: EndedWhy, by: EndedBy, except: string | null = null): Promise<number> {
  return endWhere(db, sql`user_id = ${user} and id is distinct from ${except}::uuid`, why, by);
}

async function endWhere(db: Scoped, which: RawBuilder<unknown>, why: EndedWhy, { user, ip, agent }: EndedBy): Promise<number> {
  const { rows } = await sql<{ id: string }>`update sessions
    set ended_at = now(), ended_why = ${why}, ended_by = ${user}, ended_ip = ${ip}, ended_agent = ${shortAgent(agent)}
    where ${which} and ended_at is null and expires_at > now() returning id`.execute(db);
  if (rows.length > 0) {
    await sql`delete from realtime_sockets where session_id = any(${rows.map(({ id }) => id)}::uuid[])`.execute(db);
  }
  return rows.length;
}

const shortAgent = (agent: string): string => agent.slice(0, 300);

/** The state of a session; `end` null: it is live. */
interface SessionState {
  readonly binding: Buffer | null;
  readonly end: SessionEnd | null;
}

/** null: the session is unknown by now. An end by another person names that person; an end by the user names the browser. */
export async function sessionStateOf(database: Database, session: string): Promise<SessionState | null> {
  const { rows } = await database.pool.query<{
    binding: Buffer | null;
    why: SessionEnd["why"] | null;
    at: Date;
    is_over: boolean;
    by: string | null;
    ip: string | null;
    agent: string | null;
  }>(
    `select s.binding, coalesce(s.ended_at, least(s.expires_at, now())) as at,
        s.ended_at is not null or s.expires_at <= now() or u.status <> 'active' as is_over,
        case when s.ended_at is not null then s.ended_why when s.expires_at <= now() then 'expired'
          when u.status <> 'active' then 'suspended' end as why,
        case when s.ended_by <> s.user_id then e.name end as by,
        case when s.ended_by <> s.user_id then null else s.ended_ip end as ip,
        case when s.ended_by <> s.user_id then null else s.ended_agent end as agent
      from sessions s join users u on u.id = s.user_id left join users e on e.id = s.ended_by where s.id = $1`,
    [session],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { binding, is_over, why, at, ...who } = row;
  return { binding, end: is_over ? { why: why ?? "signed-out", at: at.toISOString(), ...who } : null };
}
