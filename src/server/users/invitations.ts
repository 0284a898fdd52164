import { sql } from "kysely";
import { invitationDays } from "../../contract/invitations.ts";
import type { invitationRoutes } from "../../contract/invitations.ts";
import type { Answer, Received } from "../../contract/route.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Actor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import { networkOf } from "../auth/network.ts";
import { acceptPassword, hashPassword } from "../auth/passwords.ts";
import { isElsewhere } from "../auth/own-tenants.ts";
import { storePassword, voidLinks } from "../auth/reset.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import { withinThrottle } from "../auth/throttle.ts";
import { randomToken, sha256 } from "../auth/tokens.ts";
import type { Deps, PublicCall, StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { putMail } from "../mail/mails.ts";
import type { UserCall } from "../mount.ts";
import { mailText } from "../texts.ts";

type R = typeof invitationRoutes;

/** Of one network within a quarter of an hour. */
const [triesPerNetwork, quarterHour] = [50, 15 * 60];

/** Ends the open invitation of a person, whose link is good no more. */
export async function endInvitation(db: Scoped, tenant: string, user: string, why: "accepted" | "withdrawn" | "replaced"): Promise<void> {
  await sql`update invitations set ended_at = now(), ended_why = ${why}
    where tenant_id = ${tenant} and user_id = ${user} and ended_at is null`.execute(db);
}

interface Invited {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** This tenant made their account. */
  readonly isNew: boolean;
}

/** Makes an invitation in the place of any before it, and mails its link. */
export async function invite(db: Scoped, call: StaffCall, { id, email, name, isNew }: Invited): Promise<void> {
  const { deps, tenant, caller, language } = call;
  await endInvitation(db, tenant, id, "replaced");
  // the tenant's id leads to the row, which no request may look for over all tenants
  const token = `${tenant}.${randomToken()}`;
  await db
    .insertInto("invitations")
    .values({
      tenant_id: tenant,
      user_id: id,
      hash: sha256(token),
      by_user: caller.id,
      is_new: isNew,
      expires_at: sql<Date>`now() + make_interval(days => ${invitationDays})`,
    })
    .execute();
  const house = await db.selectFrom("tenants").select("name").where("id", "=", tenant).executeTakeFirstOrThrow();
  const link = `${deps.config.publicUrl}/invitation?${new URLSearchParams({ token })}`;
  const words = { tenant: house.name, by: caller.name, name, link, days: invitationDays };
  await putMail(db, deps, tenant, {
    to: email,
    subject: mailText(language, "mail.invitation.subject", words),
    text: mailText(language, isNew ? "mail.invitation.new" : "mail.invitation.text", words),
    language,
    // an account that others have made is none of this tenant's owners'
    shared: !isNew,
  });
}

interface Found {
  readonly user_id: string;
  readonly email: string;
  readonly name: string;
  readonly by: string;
  readonly is_new: boolean;
  readonly expires_at: Date;
  readonly ended_why: "accepted" | "withdrawn" | "replaced" | null;
  readonly is_over: boolean;
  readonly code: string;
  readonly house: string;
  readonly colour: string;
  readonly has_password: boolean;
}

const tokenShape = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[\w-]{43}$/;

/** Runs `work` in the tenant of an invitation that can be accepted; refuses any other, and says why to whoever holds its link. */
async function withInvitation<T>(
  { database }: Deps,
  token: string,
  work: (db: Scoped, found: Found, tenant: string) => Promise<T>,
): Promise<T> {
  const tenant = tokenShape.exec(token)?.[1];
  if (tenant === undefined) throw new Refusal("invitation.unknown");
  return inTenant(database, tenant, async (db) => {
    // as every change of people
    await sql`select from tenants where id = ${tenant} for no key update`.execute(db);
    const { rows } = await sql<Found>`select i.user_id, u.email, u.name, b.name as by, i.is_new, i.expires_at, i.ended_why,
        i.expires_at <= now() as is_over, t.code, t.name as house, t.colour, u.password_hash is not null as has_password
      from invitations i join users u on u.id = i.user_id and u.status = 'active' join users b on b.id = i.by_user
      join tenants t on t.id = i.tenant_id and t.status = 'active'
      where i.tenant_id = ${tenant} and i.hash = ${sha256(token)}`.execute(db);
    const found = rows[0];
    if (!found) throw new Refusal("invitation.unknown");
    if (found.ended_why !== null) throw new Refusal(`invitation.${found.ended_why}`);
    if (found.is_over) throw new Refusal("invitation.expired");
    return work(db, found, tenant);
  });
}

/**
 * Whether they have a sign-in of their own: a password, and a tenant that lets them in. So does who has been suspended elsewhere since this
 * tenant made their account, because its owners may have read the link.
 */
async function hasSignIn(db: Scoped, tenant: string, { user_id, has_password, is_new }: Found): Promise<boolean> {
  await sql`select set_config('app.user_id', ${user_id}, true)`.execute(db);
  const { rows } = await sql`select from memberships m join tenants t on t.id = m.tenant_id and t.status = 'active'
    where m.user_id = ${user_id} and m.status = 'active'`.execute(db);
  await sql`select set_config('app.user_id', '', true)`.execute(db);
  return has_password && (rows.length > 0 || (is_new && (await isElsewhere(db, user_id, tenant))));
}

async function accept(db: Scoped, tenant: string, { user_id }: Found, actor: Actor): Promise<void> {
  await sql`update memberships set status = 'active', version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenant} and user_id = ${user_id} and status = 'pending'`.execute(db);
  await endInvitation(db, tenant, user_id, "accepted");
  // what others were mailed for them alone may have been read there
  await voidLinks(db, user_id);
  const fact = { before: { status: "pending" }, after: { status: "active" } };
  await audit(db, { tenant, entity: "user", id: user_id }, actor, "accept-invitation", fact);
}

async function throttled({ deps, ip }: PublicCall): Promise<void> {
  if (!(await withinThrottle(deps.database, `invitation:${networkOf(ip)}`, triesPerNetwork, quarterHour)))
    throw new Refusal("login.throttled");
}

export async function readInvitation(call: PublicCall, { body }: Received<R["readInvitation"]>): Promise<Answer<R["readInvitation"]>> {
  await throttled(call);
  const data = await withInvitation(call.deps, body.token, async (db, found, tenant) => ({
    tenant: { code: found.code, name: found.house, colour: found.colour },
    email: found.email,
    by: found.by,
    way: (await hasSignIn(db, tenant, found)) ? ("sign-in" as const) : ("password" as const),
    name: found.is_new ? found.name : null,
    expires_at: found.expires_at.toISOString(),
  }));
  return { data };
}

export async function acceptInvitation(call: UserCall, { body }: Received<R["acceptInvitation"]>): Promise<Answer<R["acceptInvitation"]>> {
  const { deps, user, ip, requestId } = call;
  const data = await withInvitation(deps, body.token, async (db, found, tenant) => {
    if (found.user_id !== user) throw new Refusal("invitation.other-user");
    await accept(db, tenant, found, { kind: "user", id: user, name: found.name, ip, requestId });
    return { id: tenant, code: found.code, name: found.house, colour: found.colour };
  });
  return { data };
}

/** The link proves who holds the mailbox, as that of a forgotten password does. */
export async function acceptWithPassword(
  call: PublicCall,
  { body }: Received<R["acceptWithPassword"]>,
): Promise<Answer<R["acceptWithPassword"]>> {
  await throttled(call);
  const { deps, ip, requestId } = call;
  // hashed before the token is looked at, so that a wrong one takes as long
  const hash = await hashPassword(body.password, { lane: "stranger", gone: call.gone });
  const data = await withInvitation(deps, body.token, async (db, found, tenant) => {
    acceptPassword(body.password, found.email);
    if (await hasSignIn(db, tenant, found)) throw new Refusal("invitation.sign-in");
    const name = (found.is_new && body.name) || found.name;
    await storePassword(db, found.user_id, hash);
    await sql`update users set name = ${name} where id = ${found.user_id}`.execute(db);
    await endSessionsOf(db, found.user_id, "password-reset", { user: found.user_id, ...call });
    await accept(db, tenant, found, { kind: "user", id: found.user_id, name, ip, requestId });
    return { email: found.email };
  });
  return { data };
}
