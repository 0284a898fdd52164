import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { twoFactorRoutes } from "../../contract/two-factor.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { settingsOf } from "../settings/settings.ts";
import { holdingsOf, lockPeople, requireAll, requireOther } from "../users/rights.ts";
import { isElsewhere } from "./own-tenants.ts";
import { requireProof } from "./proof.ts";
import { endSessionsOf } from "./sessions.ts";
import { confirmPending, newSecret, renewCodes, totpOf, tryCode, turnOff, twoFactorPlace } from "./two-factor.ts";

const setUpMinutes = 10;

const auditTwoFactor = (db: Scoped, call: StaffCall, user: string, act: string) =>
  record(db, call.tenant, actorOf(call), { act: `two-factor.${act}`, entity: "user", entityId: user });

async function requireOn(db: Scoped, user: string): Promise<void> {
  const { rows } = await sql`select user_id from two_factor where user_id = ${user} and secret is not null`.execute(db);
  if (rows.length === 0) throw new Refusal("two-factor.off");
}

export const twoFactorHandlers: Handlers<typeof twoFactorRoutes, StaffCall> = {
  async beginTwoFactor(call) {
    const { deps, caller, tenant } = call;
    const secret = newSecret();
    const pending = deps.secrets.seal(secret, twoFactorPlace(caller.id));
    return inTenant(deps.database, tenant, async (db) => {
      const { email } = await db.selectFrom("users").select("email").where("id", "=", caller.id).executeTakeFirstOrThrow();
      const { rows } = await sql<{ pending_until: Date }>`insert into two_factor (user_id, pending, pending_until)
        values (${caller.id}, ${pending}, now() + make_interval(mins => ${setUpMinutes}))
        on conflict (user_id) do update set pending = excluded.pending, pending_until = excluded.pending_until
        returning pending_until`.execute(db);
      await auditTwoFactor(db, call, caller.id, "begin");
      return { data: { secret, uri: totpOf(secret, email).toString(), expires_at: rows[0]?.pending_until.toISOString() ?? "" } };
    });
  },

  async confirmTwoFactor(call, { body: { code } }) {
    const { deps, caller, tenant, ip } = call;
    let recovery_codes: string[] = [];
    await tryCode(deps, caller.id, ip, () =>
      inTenant(deps.database, tenant, async (db) => {
        if (!(await confirmPending(db, deps, caller.id, code))) return false;
        recovery_codes = await renewCodes(db, caller.id);
        await auditTwoFactor(db, call, caller.id, "enable");
        return true;
      }),
    );
    return { data: { recovery_codes } };
  },

  async renewRecoveryCodes(call, { body }) {
    const { deps, caller, tenant } = call;
    await requireOn(deps.database.open, caller.id);
    await requireProof(call, body);
    return inTenant(deps.database, tenant, async (db) => {
      const recovery_codes = await renewCodes(db, caller.id);
      await auditTwoFactor(db, call, caller.id, "renew-codes");
      return { data: { recovery_codes } };
    });
  },

  async disableTwoFactor(call, { body }) {
    const { deps, caller, tenant } = call;
    await requireOn(deps.database.open, caller.id);
    if ((await settingsOf(deps.database.open, tenant)).require_two_factor) throw new Refusal("two-factor.required");
    await requireProof(call, body);
    await inTenant(deps.database, tenant, async (db) => {
      if (!(await turnOff(db, caller.id))) throw new Refusal("two-factor.off");
      await auditTwoFactor(db, call, caller.id, "disable");
    });
    return { data: {} };
  },

  async resetUserTwoFactor(call, { params: { uuid } }) {
    const { deps, caller, tenant } = call;
    await inTenant(deps.database, tenant, async (db) => {
      const own = await lockPeople(db, call, "cas.user.users.reset-two-factor");
      const person = await holdingsOf(db, tenant, uuid);
      if (!person) throw new Refusal("not-found");
      // a user turns off their own with a proof of identity
      requireOther(call, own, { id: uuid, isOwner: person.isOwner });
      if (person.status === "pending") throw new Refusal("user.pending");
      requireAll(own, person);
      if (await isElsewhere(db, uuid, tenant)) throw new Refusal("user.elsewhere");
      if (!(await turnOff(db, uuid))) throw new Refusal("two-factor.off");
      await endSessionsOf(db, uuid, "two-factor-reset", { user: caller.id, ...call });
      await auditTwoFactor(db, call, uuid, "reset");
    });
    return { data: {} };
  },
};
