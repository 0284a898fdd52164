import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { userRoutes } from "../../contract/users.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { isElsewhere } from "../auth/own-tenants.ts";
import { endSession, endSessionsOf } from "../auth/sessions.ts";
import type { EndedWhy } from "../auth/sessions.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { lockPeople, requireOther } from "./rights.ts";
import { findUser, sessionsHere } from "./user-rows.ts";
import type { UserRow } from "./user-rows.ts";

type R = Pick<typeof userRoutes, "listUserSessions" | "endUserSession" | "endUserSessions">;

const mostSessions = 500;

/**
 * Ends sessions of a member, or the one given, and answers how many. Of somebody who also works in another tenant they end for this one
 * alone, because what happens here must not reach there.
 */
export async function endHere(db: Scoped, call: StaffCall, user: string, why: EndedWhy, session: string | null = null): Promise<number> {
  const { tenant, caller } = call;
  const by = { user: caller.id, ...call };
  const { rows } = await sql<{ id: string }>`select s.id from sessions s
    where s.user_id = ${user} and (${session}::uuid is null or s.id = ${session}) and ${sessionsHere(tenant)}`.execute(db);
  if (!(await isElsewhere(db, user, tenant))) {
    if (session === null) await endSessionsOf(db, user, why, by);
    else if (rows.length > 0) await endSession(db, session, why, by);
    return rows.length;
  }
  const ids = rows.map(({ id }) => id);
  await sql`insert into session_exits (tenant_id, session_id, user_id, by_user) select ${tenant}, id, ${user}, ${caller.id}
    from unnest(${ids}::uuid[]) id on conflict do nothing`.execute(db);
  await sql`delete from realtime_sockets where tenant_id = ${tenant} and session_id = any(${ids}::uuid[])`.execute(db);
  return ids.length;
}

/** The member whose sessions the caller may end. */
async function other(db: Scoped, call: StaffCall, uuid: string): Promise<UserRow> {
  const own = await lockPeople(db, call, "cas.user.users.change-status");
  const row = await findUser(db, call, uuid);
  if (!row) throw new Refusal("not-found");
  requireOther(call, own, { id: uuid, isOwner: row.owner });
  return row;
}

function end(call: StaffCall, uuid: string, session: string | null): Promise<number> {
  return once(call, null, async (db) => {
    const row = await other(db, call, uuid);
    const ended = row.membership === "pending" ? 0 : await endHere(db, call, uuid, "signed-out", session);
    if (ended === 0 && session !== null) throw new Refusal("not-found");
    if (ended > 0) await audit(db, { tenant: call.tenant, entity: "user", id: uuid }, actorOf(call), "end-sessions", { after: { ended } });
    return { answer: ended };
  });
}

export const otherSessionHandlers: Handlers<R, StaffCall> = {
  async listUserSessions(call, { params: { uuid } }) {
    const { deps, tenant } = call;
    return inTenant(deps.database, tenant, async (db) => {
      const row = await findUser(db, call, uuid);
      if (!row) throw new Refusal("not-found");
      // the sessions of somebody who has not accepted are none of this tenant's business
      if (row.membership === "pending") return { data: { sessions: [], last_act: null } };
      const { rows } = await sql<{ id: string; started_at: Date; renewed_at: Date; ip: string | null; agent: string | null }>`
        select s.id, s.started_at, s.ip, s.agent,
          coalesce((select max(issued_at) from refresh_tokens r where r.session_id = s.id), s.started_at) as renewed_at
        from sessions s where s.user_id = ${uuid} and ${sessionsHere(tenant)} order by s.started_at desc, s.id desc
        limit ${mostSessions}`.execute(db);
      const acts = await sql<{ act: string; at: Date }>`select act, at from audit_entries
        where tenant_id = ${tenant} and actor_id = ${uuid} order by id desc limit 1`.execute(db);
      const last = acts.rows[0];
      return {
        data: {
          sessions: rows.map(({ id, started_at, renewed_at, ip, agent }) => ({
            uuid: id,
            started_at: started_at.toISOString(),
            renewed_at: renewed_at.toISOString(),
            ip,
            agent,
          })),
          last_act: last ? { act: last.act, at: last.at.toISOString() } : null,
        },
      };
    });
  },

  async endUserSession(call, { params: { uuid, session } }) {
    await end(call, uuid, session);
    return { data: {} };
  },

  async endUserSessions(call, { params: { uuid } }) {
    return { data: { ended: await end(call, uuid, null) } };
  },
};
