import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { Answer, Received } from "../../contract/route.ts";
import type { sessionRoutes } from "../../contract/session.ts";
import type { Language } from "../../contract/languages.ts";
import type { Actor } from "../audit/record.ts";
import type { Deps, PublicCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { putMail } from "../mail/mails.ts";
import { mailText } from "../texts.ts";
import { networkOf } from "./network.ts";
import { auditInAllTenants, allTenantsOf } from "./own-tenants.ts";
import { acceptPassword, hashPassword } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";
import { withinThrottle } from "./throttle.ts";
import { randomToken, sha256 } from "./tokens.ts";

type R = typeof sessionRoutes;

const quarterHour = 15 * 60;
const linkMinutes = 60;
/** Limits of one network within a quarter of an hour. */
const [asksPerAccount, asksPerNetwork, triesPerNetwork] = [5, 50, 50];
/** Links mailed to one user while a link is valid, whoever requested them. */
const mostLinks = 3;

/** Stores the request only, so that its cost and answer do not depend on whether the e-mail is known. */
export async function forgotPassword(call: PublicCall, { body }: Received<R["forgotPassword"]>): Promise<Answer<R["forgotPassword"]>> {
  const { database } = call.deps;
  const email = body.email.toLowerCase();
  const network = networkOf(call.ip);
  const allowed = await Promise.all([
    withinThrottle(database, `forgot:${network}:${email}`, asksPerAccount, quarterHour),
    withinThrottle(database, `forgot:${network}`, asksPerNetwork, quarterHour),
  ]);
  if (allowed.includes(false)) throw new Refusal("login.throttled");
  await database.open.insertInto("password_requests").values({ email, language: call.language }).execute();
  return { data: {} };
}

/** Answers the stored requests, each in its own transaction; several processes can run it at once. */
export async function answerRequests(deps: Deps): Promise<void> {
  while (await deps.database.open.transaction().execute((db) => answerNextRequest(db, deps)));
}

async function answerNextRequest(db: Scoped, deps: Deps): Promise<boolean> {
  const { rows } = await sql<{ email: string; language: Language }>`delete from password_requests
    where id = (select id from password_requests order by id limit 1 for update skip locked) returning email, language`.execute(db);
  const request = rows[0];
  if (!request) return false;
  const user = await db
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where(sql`lower(email)`, "=", request.email)
    .where("status", "=", "active")
    // locked, because concurrent requests of one user would not see each other's links
    .forNoKeyUpdate()
    .executeTakeFirst();
  const tenants = user ? await allTenantsOf(db, user.id) : [];
  const tenant = tenants.find(({ open }) => open)?.id;
  if (!user || tenant === undefined || !(await allowNewLink(db, user.id))) return true;
  const token = randomToken();
  await db
    .insertInto("password_resets")
    .values({ hash: sha256(token), user_id: user.id, expires_at: sql<Date>`now() + make_interval(mins => ${linkMinutes})` })
    .execute();
  const link = `${deps.config.publicUrl}/reset-password?${new URLSearchParams({ token, email: user.email })}`;
  await sql`select set_config('app.tenant_id', ${tenant}, true)`.execute(db);
  await putMail(db, deps, tenant, {
    to: user.email,
    subject: mailText(request.language, "mail.reset.subject", {}),
    text: mailText(request.language, "mail.reset.text", { name: user.name, link, minutes: linkMinutes }),
    language: request.language,
    shared: tenants.length > 1,
  });
  return true;
}

/** Whether another link may be mailed now; it voids those before it, so that one is valid at a time. */
async function allowNewLink(db: Scoped, user: string): Promise<boolean> {
  // links made within the last hour are those not expired yet
  const { rows } = await sql<{ made: number }>`select count(*)::integer as made from password_resets
    where user_id = ${user} and expires_at > now()`.execute(db);
  if ((rows[0]?.made ?? 0) >= mostLinks) return false;
  await voidLinks(db, user);
  return true;
}

/** Links mailed to a user who forgot their password are good no more. */
export async function voidLinks(db: Scoped, user: string): Promise<void> {
  await sql`update password_resets set used_at = now() where user_id = ${user} and used_at is null`.execute(db);
}

/** Sets the password by the token of a mailed link, which is valid once; all sessions of the user end. */
export async function resetPassword(call: PublicCall, { body }: Received<R["resetPassword"]>): Promise<Answer<R["resetPassword"]>> {
  const { database } = call.deps;
  if (!(await withinThrottle(database, `reset:${networkOf(call.ip)}`, triesPerNetwork, quarterHour))) throw new Refusal("login.throttled");
  const email = body.email.toLowerCase();
  acceptPassword(body.password, email);
  // hashed before the token is checked, so that a wrong token takes as long
  const password = await hashPassword(body.password, { lane: "stranger", gone: call.gone });
  const done = await database.open.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: string; name: string }>`update password_resets r set used_at = now() from users u
      where r.hash = ${sha256(body.token)} and r.used_at is null and r.expires_at > now()
        and u.id = r.user_id and lower(u.email) = ${email} and u.status = 'active' returning u.id, u.name`.execute(db);
    const user = rows[0];
    if (!user) return false;
    await storePassword(db, user.id, password);
    await endSessionsOf(db, user.id, "password-reset", { user: user.id, ...call });
    const actor: Actor = { kind: "user", id: user.id, name: user.name, ip: call.ip, requestId: call.requestId };
    await auditInAllTenants(db, user.id, actor, { act: "user.reset-password" });
    return true;
  });
  if (!done) throw new Refusal("reset.refused");
  return { data: {} };
}

/**
 * Stores a password the user chose: lifts a forced reset, voids links mailed for the old one, and deletes sign-ins that used it and await
 * their code. The user's row is locked first, as in a sign-in.
 */
export async function storePassword(db: Scoped, user: string, hash: string): Promise<void> {
  await sql`update users set password_hash = ${hash}, force_reset_password = false, updated_at = now() where id = ${user}`.execute(db);
  await voidLinks(db, user);
  await sql`delete from sign_in_challenges where user_id = ${user}`.execute(db);
}
