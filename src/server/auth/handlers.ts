import { sql } from "kysely";
import { permissionMap } from "../../contract/permissions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Answer, Received } from "../../contract/route.ts";
import type { Challenge, sessionRoutes } from "../../contract/session.ts";
import { actorOf, record } from "../audit/record.ts";
import type { Actor } from "../audit/record.ts";
import type { PublicCall, StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { UserCall } from "../mount.ts";
import { once, wasDone } from "../idempotency.ts";
import { currenciesOf } from "../settings/currencies.ts";
import { leaseSeconds, offeredLanguages, readSettings, tiersOf } from "../settings/settings.ts";
import { tenantsOf } from "./authority.ts";
import type { Waiter } from "./gate.ts";
import { guess } from "./guesses.ts";
import { networkOf } from "./network.ts";
import { auditInAllTenants } from "./own-tenants.ts";
import { passwordMatches } from "./passwords.ts";
import { profileOf } from "./profile.ts";
import { markProved, requireProof } from "./proof.ts";
import { endSession, rotateSession, startSession } from "./sessions.ts";
import { randomToken, sha256 } from "./tokens.ts";
import { spendCode, spendRecoveryCode, tryCode, tryRecoveryCode } from "./two-factor.ts";

type R = typeof sessionRoutes;

/** Failures from one network within a quarter of an hour: at one account, and in total. */
const [triesPerAccount, triesPerNetwork] = [10, 200];
const challengeMinutes = 5;

/** An unknown user, a wrong password and a suspended account get the same answer at the same cost. */
export async function login(call: PublicCall, { body }: Received<R["login"]>): Promise<Answer<R["login"]>> {
  const { database } = call.deps;
  const email = body.email.toLowerCase();
  const network = networkOf(call.ip);
  const limits = { [`login:${network}:${email}`]: triesPerAccount, [`login:${network}`]: triesPerNetwork };
  const waiter: Waiter = { lane: "stranger", gone: call.gone };
  const found = await guess(database, { waiter, limits, slowed: `login::${email}` }, async () => {
    const { rows } = await database.pool.query<{ id: string; name: string; password_hash: string | null; status: string }>(
      "select id, name, password_hash, status from users where lower(email) = $1",
      [email],
    );
    const user = rows[0];
    const hash = user?.password_hash ?? null;
    const matches = await passwordMatches(hash, body.password);
    if (!user || !matches || user.status !== "active" || (await tenantsOf(database, user.id)).length === 0) return null;
    return { user, hash };
  });
  if (found === null) throw new Refusal("login.refused");
  const { user, hash } = found;
  const data =
    (await challengeOf(call, user.id, hash)) ??
    (await startSession(call, user.id, async (db) => {
      // locked, because the password may have changed during verification; a later change ends this session
      const still = await sql`select from users where id = ${user.id} and status = 'active' and password_hash = ${hash}
        for no key update`.execute(db);
      if (still.rows.length === 0) throw new Refusal("login.refused");
      await auditInAllTenants(db, user.id, actorIn(call, user), { act: "session.start" });
    }));
  return { data };
}

const actorIn = ({ ip, requestId }: Pick<PublicCall, "ip" | "requestId">, { id, name }: { id: string; name: string }): Actor => {
  return { kind: "user", id, name, ip, requestId };
};

/** The challenge of the second step, if two-factor is on and the password hash is still `hash`; null: two-factor is off. */
async function challengeOf({ deps }: PublicCall, user: string, hash: string | null): Promise<Challenge | null> {
  const challenge = randomToken();
  const { rows } = await sql<{ expires_at: Date }>`with held as (
      select id from users where id = ${user} and status = 'active' and password_hash = ${hash} for share)
    insert into sign_in_challenges (hash, user_id, expires_at)
    select ${sha256(challenge)}, held.id, now() + make_interval(mins => ${challengeMinutes})
    from held join two_factor f on f.user_id = held.id and f.secret is not null returning expires_at`.execute(deps.database.open);
  return rows[0] ? { challenge, expires_at: rows[0].expires_at.toISOString() } : null;
}

/** The second step of signing in; of concurrent calls with the same code or challenge only one succeeds. */
export async function signInTwoFactor(call: PublicCall, { body }: Received<R["signInTwoFactor"]>): Promise<Answer<R["signInTwoFactor"]>> {
  const { deps, ip } = call;
  const { database } = deps;
  const { rows } = await sql<{ id: string; name: string }>`select u.id, u.name from sign_in_challenges c
    join users u on u.id = c.user_id and u.status = 'active'
    where c.hash = ${sha256(body.challenge)} and c.used_at is null and c.expires_at > now()`.execute(database.open);
  const user = rows[0];
  if (user === undefined || (await tenantsOf(database, user.id)).length === 0) throw new Refusal("challenge.over");
  const { code, recovery_code } = body;
  if (code === undefined) await tryRecoveryCode(deps, ip, () => spendRecoveryCode(deps, user.id, recovery_code ?? ""));
  else await tryCode(deps, user.id, ip, () => spendCode(deps, user.id, code));
  const data = await startSession(call, user.id, async (db) => {
    // the user is locked first, in the order of storePassword, which deletes the challenges of the old password
    const still = await sql`select from users where id = ${user.id} and status = 'active' for no key update`.execute(db);
    const spent = await sql`update sign_in_challenges set used_at = now()
      where hash = ${sha256(body.challenge)} and used_at is null and expires_at > now() returning user_id`.execute(db);
    if (still.rows.length === 0 || spent.rows.length === 0) throw new Refusal("challenge.over");
    await auditInAllTenants(db, user.id, actorIn(call, user), { act: "session.start" });
  });
  return { data };
}

export async function stepUp(call: StaffCall, { body }: Received<R["stepUp"]>): Promise<Answer<R["stepUp"]>> {
  // a code is spent by the first time
  if (await wasDone(call)) return { data: {} };
  await requireProof(call, body);
  await once(call, null, async (db) => {
    await markProved(db, call);
    await record(db, call.tenant, actorOf(call), { act: "session.prove", entity: "user", entityId: call.caller.id });
    return { answer: {} };
  });
  return { data: {} };
}

export async function refreshToken(call: PublicCall, { body }: Received<R["refreshToken"]>): Promise<Answer<R["refreshToken"]>> {
  return { data: await rotateSession(call, body.refresh_token) };
}

/** Ends the caller's session; its access and refresh tokens are invalid at once. */
export async function logout(call: UserCall): Promise<Answer<R["logout"]>> {
  const { deps, user, session } = call;
  call.forget();
  await deps.database.open.transaction().execute(async (db) => {
    await endSession(db, session, "signed-out", call);
    const { name } = await db.selectFrom("users").select("name").where("id", "=", user).executeTakeFirstOrThrow();
    await auditInAllTenants(db, user, actorIn(call, { id: user, name }), { act: "session.end" });
  });
  return { data: {} };
}

export async function readContext(call: StaffCall): Promise<Answer<R["readContext"]>> {
  return {
    data: {
      user_groups: [...call.caller.groups],
      permissions: permissionMap(call.caller.permissions),
      current_tenant: call.tenant,
      available_tenants: await tenantsOf(call.deps.database, call.caller.id, call.caller.session),
    },
  };
}

export async function readProfile(call: StaffCall): Promise<Answer<R["readProfile"]>> {
  return inTenant(call.deps.database, call.tenant, async (db) => ({ data: { user: await profileOf(db, call) } }));
}

export async function readConfig(call: StaffCall): Promise<Answer<R["readConfig"]>> {
  const { realtime } = call.deps;
  return inTenant(call.deps.database, call.tenant, async (db) => {
    const tenant = await db.selectFrom("tenants").select("settings").where("id", "=", call.tenant).executeTakeFirstOrThrow();
    const currencies = await currenciesOf(db, call.tenant);
    const settings = readSettings(tenant.settings);
    const decisions = {
      claim_limit: settings.claim_limit,
      lease_seconds: leaseSeconds,
      recall_seconds: settings.recall_seconds,
      tiers: tiersOf(
        settings,
        currencies.map(({ code }) => code),
      ),
      reject_reasons: settings.reject_reasons,
      sla: settings.sla,
    };
    return {
      data: {
        currencies,
        realtime: {
          key: realtime.key,
          cluster: realtime.cluster ?? "",
          host: realtime.embedded ? null : realtime.cluster ? null : realtime.host,
          port: realtime.embedded ? null : realtime.port,
          tls: realtime.tls,
        },
        withdrawals: decisions,
        deposits: decisions,
        languages: offeredLanguages(settings),
        sounds: settings.sounds,
        server_time: new Date().toISOString(),
      },
    };
  });
}
