import { permissionMap } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Answer, Received } from "../../contract/route.ts";
import type { sessionRoutes } from "../../contract/session.ts";
import type { House, PublicCall, StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { defaultTier, leaseSeconds, readSettings } from "../settings/settings.ts";
import { tenantsOf } from "./authority.ts";
import { passwordMatches } from "./passwords.ts";
import { endSession, rotateSession, startSession } from "./sessions.ts";
import { withinThrottle } from "./throttle.ts";

type R = typeof sessionRoutes;

const quarterHour = 15 * 60;
const triesPerAccount = 10;
const triesPerAddress = 200;

/** The same answer, at the same cost, for an unknown user, a wrong password and a suspended account. */
export async function login(call: PublicCall, { body }: Received<R["login"]>): Promise<Answer<R["login"]>> {
  const { database } = call.house;
  const email = body.email.toLowerCase();
  const allowed = await Promise.all([
    withinThrottle(database, `login:${call.ip}:${email}`, triesPerAccount, quarterHour),
    withinThrottle(database, `login:${call.ip}`, triesPerAddress, quarterHour),
  ]);
  if (allowed.includes(false)) throw new Refusal("login.throttled");
  const { rows } = await database.pool.query<{ id: string; password_hash: string | null; status: string }>(
    "select id, password_hash, status from users where lower(email) = $1",
    [email],
  );
  const user = rows[0];
  const matches = await passwordMatches(user?.password_hash ?? null, body.password);
  if (!user || !matches || user.status !== "active" || (await tenantsOf(database, user.id)).length === 0) {
    throw new Refusal("login.refused");
  }
  return { data: await startSession(call, user.id) };
}

export async function refreshToken(call: PublicCall, { body }: Received<R["refreshToken"]>): Promise<Answer<R["refreshToken"]>> {
  return { data: await rotateSession(call, body.refresh_token) };
}

/** Ends the caller's own session; its access and refresh tokens are dead at once. */
export async function logout(house: House, session: string): Promise<Answer<R["logout"]>> {
  await endSession(house.database.open, session, "signed out");
  return { data: {} };
}

export async function readContext(call: StaffCall): Promise<Answer<R["readContext"]>> {
  return {
    data: {
      user_groups: [...call.caller.groups],
      permissions: permissionMap(call.caller.permissions),
      current_tenant: call.tenant,
      available_tenants: await tenantsOf(call.house.database, call.caller.id),
    },
  };
}

export async function readProfile(call: StaffCall): Promise<Answer<R["readProfile"]>> {
  const user = await call.house.database.open
    .selectFrom("users")
    .select(["id", "email", "name", "status", "force_reset_password", "last_login_at", "last_login_ip", "created_at", "updated_at"])
    .where("id", "=", call.caller.id)
    .executeTakeFirstOrThrow();
  return {
    data: {
      user: {
        uuid: user.id,
        tenant_id: call.tenant,
        email: user.email,
        name: user.name,
        status: user.status,
        abilities: [...call.caller.permissions],
        force_reset_password: user.force_reset_password,
        last_login_at: user.last_login_at?.toISOString() ?? null,
        last_login_ip: user.last_login_ip,
        created_at: user.created_at.toISOString(),
        updated_at: user.updated_at.toISOString(),
      },
    },
  };
}

export async function readConfig(call: StaffCall): Promise<Answer<R["readConfig"]>> {
  const { realtime } = call.house;
  return inTenant(call.house.database, call.tenant, async (db) => {
    const tenant = await db.selectFrom("tenants").select("settings").where("id", "=", call.tenant).executeTakeFirstOrThrow();
    const currencies = await db
      .selectFrom("currencies")
      .selectAll()
      .where("tenant_id", "=", call.tenant)
      .orderBy("position")
      .orderBy("code")
      .execute();
    const settings = readSettings(tenant.settings);
    return {
      data: {
        currencies: currencies.map((currency) => ({
          code: currency.code,
          name: currency.name,
          minor_digits: currency.minor_digits,
          country: { name: currency.country, timezone: { gmt: currency.zone } },
        })),
        realtime: {
          key: realtime.key,
          cluster: realtime.cluster ?? "",
          host: realtime.embedded ? null : realtime.cluster ? null : realtime.host,
          port: realtime.embedded ? null : realtime.port,
          tls: realtime.tls,
        },
        withdrawals: {
          claim_limit: settings.claim_limit,
          lease_seconds: leaseSeconds,
          recall_seconds: settings.recall_seconds,
          tiers: Object.fromEntries(currencies.map(({ code }) => [code, settings.tiers[code] ?? defaultTier])),
          reject_reasons: settings.reject_reasons,
          sla: settings.sla,
        },
        server_time: new Date().toISOString(),
      },
    };
  });
}
