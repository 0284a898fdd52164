import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { profileRoutes } from "../../contract/profile.ts";
import type { Profile } from "../../contract/session.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once, wasDone } from "../idempotency.ts";
import { settingsOf } from "../settings/settings.ts";
import { acceptPassword, hashPassword } from "./passwords.ts";
import { requirePassword } from "./proof.ts";
import { storePassword } from "./reset.ts";
import { endSession, endSessionsOf } from "./sessions.ts";

/** The caller's own profile in the current tenant. */
export async function profileOf(db: Scoped, { caller, tenant }: StaffCall): Promise<Profile> {
  const user = await db
    .selectFrom("users as u")
    .leftJoin("two_factor as f", "f.user_id", "u.id")
    .select(["u.id", "email", "name", "status", "force_reset_password", "last_login_at", "last_login_ip", "created_at", "updated_at"])
    .select([
      sql<boolean>`f.secret is not null`.as("enabled"),
      sql<number>`(select count(*)::integer from recovery_codes r where r.user_id = u.id and r.used_at is null)`.as("left"),
    ])
    .where("u.id", "=", caller.id)
    .executeTakeFirstOrThrow();
  return {
    uuid: user.id,
    tenant_id: tenant,
    email: user.email,
    name: user.name,
    status: user.status,
    abilities: [...caller.permissions],
    force_reset_password: user.force_reset_password,
    two_factor: { enabled: user.enabled, required: (await settingsOf(db, tenant)).require_two_factor, recovery_left: user.left },
    last_login_at: user.last_login_at?.toISOString() ?? null,
    last_login_ip: user.last_login_ip,
    created_at: user.created_at.toISOString(),
    updated_at: user.updated_at.toISOString(),
  };
}

/** Ends the caller's other sessions and audits it. */
async function endOthers(db: Scoped, call: StaffCall): Promise<number> {
  const ended = await endSessionsOf(db, call.caller.id, "signed-out", { user: call.caller.id, ...call }, call.caller.session);
  if (ended > 0)
    await record(db, call.tenant, actorOf(call), { act: "session.end", entity: "user", entityId: call.caller.id, after: { ended } });
  return ended;
}

export const profileHandlers: Handlers<typeof profileRoutes, StaffCall> = {
  async updateProfile(call, { body: { name } }) {
    const { caller, tenant } = call;
    const user = await once(call, null, async (db) => {
      const { rows } = await sql<{ name: string }>`select name from users where id = ${caller.id} for update`.execute(db);
      const was = rows[0]?.name ?? "";
      if (was !== name) {
        await sql`update users set name = ${name}, updated_at = now() where id = ${caller.id}`.execute(db);
        // an administrator's edit of the user under way must not write the old name back
        await sql`update memberships set version = version + 1, updated_at = now()
          where tenant_id = ${tenant} and user_id = ${caller.id}`.execute(db);
        await record(db, tenant, actorOf(call), {
          act: "user.update",
          entity: "user",
          entityId: caller.id,
          before: { name: was },
          after: { name },
        });
      }
      return { answer: await profileOf(db, call) };
    });
    return { data: { user } };
  },

  async changePassword(call, { body }) {
    const { deps, caller, tenant } = call;
    // a repetition would find the old password wrong
    if (await wasDone(call)) return { data: {} };
    const verified = await requirePassword(call, body.current_password);
    const { email } = await deps.database.open.selectFrom("users").select("email").where("id", "=", caller.id).executeTakeFirstOrThrow();
    acceptPassword(body.password, email);
    if (body.password === body.current_password)
      throw new Refusal("request.invalid", { password: ["Must differ from the current password"] });
    const password = await hashPassword(body.password, { lane: "known", gone: call.gone });
    await once(call, null, async (db) => {
      // locked, because a reset or an administrator may have set another since it was verified, and has ended this session then
      const still = await sql`select from users u join sessions s on s.user_id = u.id and s.id = ${caller.session} and s.ended_at is null
        where u.id = ${caller.id} and u.password_hash = ${verified} for no key update of u`.execute(db);
      if (still.rows.length === 0) throw new Refusal("password.wrong");
      await storePassword(db, caller.id, password);
      await endSessionsOf(db, caller.id, "password-changed", { user: caller.id, ...call }, caller.session);
      await record(db, tenant, actorOf(call), { act: "user.change-password", entity: "user", entityId: caller.id });
      return { answer: {} };
    });
    return { data: {} };
  },

  async listOwnSessions({ deps, caller }) {
    const { rows } = await sql<{
      id: string;
      started_at: Date;
      renewed_at: Date;
      expires_at: Date;
      ip: string | null;
      agent: string | null;
    }>`select id, started_at, expires_at, ip, agent,
        coalesce((select max(issued_at) from refresh_tokens r where r.session_id = s.id), started_at) as renewed_at
      from sessions s where user_id = ${caller.id} and ended_at is null and expires_at > now()
      order by started_at desc, id desc limit 500`.execute(deps.database.open);
    return {
      data: rows.map((row) => ({
        uuid: row.id,
        started_at: row.started_at.toISOString(),
        renewed_at: row.renewed_at.toISOString(),
        ends_at: row.expires_at.toISOString(),
        ip: row.ip,
        agent: row.agent,
        current: row.id === caller.session,
      })),
    };
  },

  async endOwnSession(call, { params: { uuid } }) {
    const { deps, caller, tenant } = call;
    await inTenant(deps.database, tenant, async (db) => {
      const { rows } = await sql<{ id: string }>`select id from sessions
        where id = ${uuid} and user_id = ${caller.id} and ended_at is null and expires_at > now()`.execute(db);
      if (!rows[0]) throw new Refusal("not-found");
      await endSession(db, uuid, "signed-out", { user: caller.id, ...call });
      await record(db, tenant, actorOf(call), { act: "session.end", entity: "user", entityId: caller.id, after: { ended: 1 } });
    });
    return { data: {} };
  },

  async endOtherSessions(call) {
    const ended = await inTenant(call.deps.database, call.tenant, (db) => endOthers(db, call));
    return { data: { ended } };
  },
};
